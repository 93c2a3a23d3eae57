import { makeHeapTight } from '@postroom/runtime/heap';
import { run } from '@postroom/runtime/run';
import { service } from './service.ts';

makeHeapTight();

void run(service);
