import type { ApprovalAnswer } from '@postroom/app/answers';

const SHOWN = 2;

/** The first addresses, and how many more there are, copies included: `a@x.example, b@y.example and 3 more`. */
export function recipientsText({ to, cc, bcc }: Pick<ApprovalAnswer, 'to' | 'cc' | 'bcc'>): string {
  const all = [...to, ...cc, ...bcc];
  const first = all.slice(0, SHOWN).join(', ');
  return all.length <= SHOWN ? first : `${first} and ${all.length - SHOWN} more`;
}
