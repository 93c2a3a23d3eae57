// The entry of `npm start`. It is plain JavaScript, because nothing is installed when it first runs.
import { createRequire } from 'node:module';
import { ensureInstalled } from './ensure-installed.mjs';

ensureInstalled();
const require = createRequire(import.meta.url);
require('tsx/cjs');
require('./src/main.ts');
