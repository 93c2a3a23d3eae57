import { makeHeapRoomy } from '@postroom/runtime/heap';
import { run } from '@postroom/runtime/run';
import { service } from './service.ts';

makeHeapRoomy();

void run(service);
