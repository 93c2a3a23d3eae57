import { read, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { z } from 'zod';
import { flag, port, text } from './config.ts';
import { run } from './run.ts';
import { defineService } from './service.ts';

// run.deep.test.ts starts this service as a process of its own, because the effects of run() are visible only from outside.
void run(
  defineService({
    name: 'trial',
    config: z.object({
      TRIAL_PORT: port,
      TRIAL_WORD: text,
      TRIAL_THROW: flag.default(false),
      TRIAL_HANG: flag.default(false),
      TRIAL_STUCK: flag.default(false),
    }),
    open: async (config, { lifecycle, log }) => {
      if (config.TRIAL_WORD === 'unopenable') throw new Error('the engine does not answer');
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(config.TRIAL_PORT, '127.0.0.1', resolve));
      lifecycle.add('first', () => {
        log.info({ part: 'first' }, 'closing');
        server.close();
      });
      lifecycle.add('second', () => {
        log.info({ part: 'second' }, 'closing');
        return config.TRIAL_HANG ? new Promise(() => {}) : undefined;
      });
      if (config.TRIAL_STUCK) holdThreadUntilInputEnds();
      if (config.TRIAL_THROW) setTimeout(() => void Promise.reject(new Error('nobody caught this')), 10);
      return {};
    },
  }),
);

/** Occupies the thread of the pool that writes the log, until the process has logged why it dies. */
function holdThreadUntilInputEnds(): void {
  read(0, Buffer.alloc(1), 0, 1, null, () => undefined);
  process.on('unhandledRejection', () => writeSync(2, 'said\n'));
}
