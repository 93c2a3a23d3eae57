import type { ServiceContext } from './service.ts';

const WAIT_MS = 1_000;

/** Waits for what is missing at the start. A process that ended instead would be started again and again. */
export async function untilItAnswers<T>(
  engine: string,
  connect: () => Promise<T>,
  { clock, log, readiness }: Pick<ServiceContext, 'clock' | 'log' | 'readiness'>,
  complaint = `the ${engine} does not answer; not ready until it does`,
): Promise<T> {
  let said: string | undefined;
  for (;;) {
    try {
      const answered = await connect();
      if (said) readiness.add(engine, () => undefined);
      return answered;
    } catch (error) {
      const { message } = error as Error;
      if (message !== said) log.warn({ cause: message }, complaint);
      said = message;
      readiness.add(engine, () => Promise.reject(error as Error));
      await clock.sleep(WAIT_MS);
    }
  }
}
