// The entry of `npm start`. It is plain JavaScript, because nothing is installed when it first runs.
import { createRequire } from 'node:module';
import { ensurePagesBuilt } from '../../services/app/web/build.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

ensureInstalled();
ensurePagesBuilt();
const require = createRequire(import.meta.url);
require('@postroom/from-source/register');
require('./src/main.ts');
