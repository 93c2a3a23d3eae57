import { ImapFault } from './imap-fault.ts';

/** The library returns a falsy value both for a refusal and when it asked nothing. */
export function requireAnswer<T>(answer: T | false | undefined): T {
  if (answer === false || answer === undefined)
    throw new ImapFault('failed', 'the provider did not do what it was asked');
  return answer;
}
