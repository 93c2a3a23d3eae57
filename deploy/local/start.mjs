// The door of `npm start`: plain JavaScript, because nothing is installed yet when it first runs.
import { createRequire } from 'node:module';
import { ensureInstalled } from './ensure-installed.mjs';

ensureInstalled();
const require = createRequire(import.meta.url);
require('tsx/cjs');
require('./src/main.ts');
