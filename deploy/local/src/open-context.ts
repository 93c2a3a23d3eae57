import { createLog } from '@postroom/runtime/log';
import type { ServiceContext } from '@postroom/runtime/service';
import { createServiceContext, type ServiceContextOptions } from '@postroom/runtime/service-context';

/** The log goes to standard error, because standard output is for the ready line alone. */
export function openContext(options: ServiceContextOptions): ServiceContext {
  const { name, logLevel = 'warn' } = options;
  return createServiceContext({ ...options, log: createLog(name, logLevel, process.stderr) });
}
