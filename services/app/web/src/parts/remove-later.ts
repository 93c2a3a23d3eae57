import { call } from '../api/call.ts';
import { invalidate, queryClient } from '../api/use-answer.ts';
import { defer } from './deferred.ts';

/** Deletes an item after the time for undoing; lists leave it out from now on. */
export function removeLater(listPath: string, id: string, message: string): void {
  defer(id, {
    message,
    run: (isLast) =>
      call('DELETE', `${listPath}/${id}`, { keepalive: isLast }).then(() => invalidate(queryClient, [listPath])),
  });
}
