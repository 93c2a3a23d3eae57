import { Refusal } from './render-error.ts';

/** What a caller hears when there is more to do than can be done in time: it may simply come again. */
export function tooBusy(): Refusal {
  return new Refusal('INTERNAL_ERROR', { 'Retry-After': '1' }, { message: 'Too busy just now; try again.' });
}
