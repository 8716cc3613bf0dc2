// Loaded into a server with --import: it collects all its garbage whenever it gets SIGUSR2, so that what it has then is what
// it keeps.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => collect());
