#!/usr/bin/env node
import { runServerCommand } from './run-server-command.js';

process.exitCode = await runServerCommand(process.argv.slice(2));
