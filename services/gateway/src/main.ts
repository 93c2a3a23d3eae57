import { setFlagsFromString } from 'node:v8';
import { run } from '@postroom/runtime/run';
import { service } from './service.ts';

// A heap that may grow further between collections halves what a request pays for them, for some 25 MB.
setFlagsFromString('--heap-growing-percent=1000');

void run(service);
