import { notSupported } from '../errors.ts';
import type { Command } from './request.ts';

export const aggregate: Command = {
  fields: ['pipeline', 'cursor', 'hint'],
  run() {
    throw notSupported('aggregate');
  },
};
