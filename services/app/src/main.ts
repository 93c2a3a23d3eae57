import { run } from '@postroom/runtime/run';
import { service } from './service.ts';

void run(service);
