import { makeHeapRoomy } from '@postroom/runtime/roomy-heap';
import { run } from '@postroom/runtime/run';
import { service } from './service.ts';

makeHeapRoomy();

void run(service);
