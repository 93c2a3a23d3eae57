import type { HomeAnswer, LimitsAnswer } from '@postroom/app/answers';

export interface AttentionItem {
  id: string;
  tone: 'bad' | 'warn';
  title: string;
  text: string;
  /** The page on which a person mends it. */
  href?: string;
  /** The command by which an operator mends it, where no page does. */
  command?: string;
}

const LAG_SECONDS = 300;
const LOW_QUOTA = 0.1;

/** The things that a person has to see to, the worst first. */
export function attentionOf(home: HomeAnswer, workspaceId: string): AttentionItem[] {
  return [
    ...mailboxItems(home),
    ...webhookItems(home),
    ...quarantineItems(home, workspaceId),
    ...deadLetterItems(home, workspaceId),
    ...quotaItems(home.limits),
    ...approvalItems(home),
    ...replyItems(home),
  ];
}

function mailboxItems({ mailboxes: { failing, lagSeconds } }: HomeAnswer): AttentionItem[] {
  const items = failing.map(({ id, email, status, lastError }) => ({
    id,
    tone: 'bad' as const,
    title: status === 'disconnected' ? `${email} is disconnected` : `${email} does not sync`,
    text: lastError ?? 'Reconnect it, and its mail comes in again.',
    href: `/mailboxes?mailbox=${id}`,
  }));
  if (failing.length > 0 || lagSeconds === null || lagSeconds < LAG_SECONDS) return items;
  const text = `The mailbox that is furthest behind was read ${durationOf(lagSeconds)} ago.`;
  return [...items, { id: 'lag', tone: 'warn', title: 'Mail is late', text, href: '/mailboxes' }];
}

function webhookItems({ webhooks }: HomeAnswer): AttentionItem[] {
  return (webhooks?.failing ?? []).map(({ id, url, status }) => ({
    id,
    tone: 'bad',
    title: status === 'disabled' ? 'A webhook is disabled' : 'A webhook fails',
    text: url,
    href: `/webhooks/${id}`,
  }));
}

const MOST_COUNTED = 1_000;

function quarantineItems({ quarantined: { messages, emails } }: HomeAnswer, workspaceId: string): AttentionItem[] {
  const ofMessages: AttentionItem = {
    id: 'quarantined-messages',
    tone: 'bad',
    title: messages === 1 ? 'A message could not be read' : `${countOf(messages)} messages could not be read`,
    text: 'No list shows such mail; it is stored whole. An operator sees why, and tries again.',
    command: `postroom mail quarantine list --workspace ${workspaceId}`,
  };
  const ofEmails: AttentionItem = {
    id: 'quarantined-emails',
    tone: 'warn',
    title: emails === 1 ? 'An email was not classified' : `${countOf(emails)} emails were not classified`,
    text: 'The lists show such mail without the labels of AI rules. An operator sees why, and tries again.',
    command: `postroom rules quarantine list --workspace ${workspaceId}`,
  };
  return [...(messages > 0 ? [ofMessages] : []), ...(emails > 0 ? [ofEmails] : [])];
}

function deadLetterItems({ deadLetters }: HomeAnswer, workspaceId: string): AttentionItem[] {
  if (deadLetters === 0) return [];
  const title = deadLetters === 1 ? 'An event was not handled' : `${countOf(deadLetters)} events were not handled`;
  const text =
    'A forward, a change in the feed or a delivery report may be missing. An operator sees why, and replays it.';
  return [{ id: 'dead-letters', tone: 'bad', title, text, command: `postroom events list --workspace ${workspaceId}` }];
}

const countOf = (count: number): string =>
  count >= MOST_COUNTED ? `${MOST_COUNTED.toLocaleString('en')} or more` : String(count);

function quotaItems({ month }: LimitsAnswer): AttentionItem[] {
  const left = month.limit - month.used;
  if (left > month.limit * LOW_QUOTA) return [];
  const title = left <= 0 ? 'The quota of the month is used up' : 'The quota of the month is nearly used up';
  const text =
    left <= 0
      ? 'The API answers 429 until the month ends. This app goes on working.'
      : `${left.toLocaleString('en')} calls are left.`;
  return [{ id: 'quota', tone: left <= 0 ? 'bad' : 'warn', title, text, href: '/usage' }];
}

function approvalItems({ approvals: { waiting } }: HomeAnswer): AttentionItem[] {
  if (waiting === 0) return [];
  const title = waiting === 1 ? 'A message waits for your approval' : `${waiting} messages wait for your approval`;
  return [{ id: 'approvals', tone: 'warn', title, text: 'An agent asks to send it.', href: '/drafts' }];
}

function replyItems({ replies: { waiting } }: HomeAnswer): AttentionItem[] {
  if (waiting === 0) return [];
  const title = waiting === 1 ? 'One reply waits to be sent' : `${waiting} replies wait to be sent`;
  return [{ id: 'replies', tone: 'warn', title, text: 'Rules send them when their time has come.', href: '/drafts' }];
}

/** `45 seconds`, `12 minutes`, `3 hours`, `2 days`. */
export function durationOf(seconds: number): string {
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3_600
        ? [seconds / 60, 'minute']
        : seconds < 86_400
          ? [seconds / 3_600, 'hour']
          : [seconds / 86_400, 'day'];
  const whole = Math.floor(count);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
