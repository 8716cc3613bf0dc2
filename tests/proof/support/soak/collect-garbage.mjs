// Loaded into a server with --import. Collects all garbage on SIGUSR2, so that only the memory in use remains.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => collect());
