import { ApiError } from '@postroom/errors/api-error';

/** The calls of a stream without an answer yet, each with its own end. */
interface WaitingCalls {
  /** The id of the call, and its answer. `onCancel` tells the other end that nobody waits any more. */
  add(leftMs: number, signal: AbortSignal | undefined, onCancel: (id: number) => void): Added;
  resolve(id: number, body: Buffer): void;
  reject(id: number, error: unknown): void;
  rejectAll(error: unknown): void;
  isEmpty(): boolean;
}

interface Added {
  id: number;
  answer: Promise<Buffer>;
}

interface Waiting {
  dispose(): void;
  resolve(body: Buffer): void;
  reject(error: unknown): void;
}

export function waitingCalls(onEmpty: () => void): WaitingCalls {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;

  const take = (id: number): Waiting | undefined => {
    const found = waiting.get(id);
    waiting.delete(id);
    found?.dispose();
    if (waiting.size === 0) onEmpty();
    return found;
  };

  return {
    add: (leftMs, signal, onCancel) => {
      const id = ++lastId;
      const answer = new Promise<Buffer>((resolve, reject) => {
        const cancel = () => {
          onCancel(id);
          take(id)?.reject(signal?.reason);
        };
        // The other end stops at the same time by its own watch.
        const timer = setTimeout(() => take(id)?.reject(tooLate()), leftMs);
        const dispose = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', cancel);
        };
        waiting.set(id, { dispose, resolve, reject });
        signal?.addEventListener('abort', cancel, { once: true });
      });
      return { id, answer };
    },
    resolve: (id, body) => take(id)?.resolve(body),
    reject: (id, error) => take(id)?.reject(error),
    rejectAll: (error) => {
      for (const id of waiting.keys()) take(id)?.reject(error);
    },
    isEmpty: () => waiting.size === 0,
  };
}

function tooLate(): ApiError {
  return new ApiError('QUERY_TIMEOUT', { cause: new Error('no answer before the deadline') });
}
