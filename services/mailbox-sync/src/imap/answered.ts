import { ImapFault } from './imap-fault.ts';

/** The library's words for "the server said no" and "nothing was asked" are both a falsy answer. */
export function answered<T>(answer: T | false | undefined): T {
  if (answer === false || answer === undefined)
    throw new ImapFault('failed', 'the provider did not do what it was asked');
  return answer;
}
