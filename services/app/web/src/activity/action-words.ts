import type { ActivityAnswer } from '@postroom/app/answers';
import { capitalized } from '../parts/capitalized.ts';

export const ACTOR_NAMES: Readonly<Record<ActivityAnswer['actor']['kind'], string>> = {
  person: 'Person',
  key: 'Key',
  operator: 'Operator',
  rule: 'Rule',
  client: 'MCP client',
};

/** The first words of actions, which a filter takes as well. */
export const ACTION_AREAS: readonly (readonly [string, string])[] = [
  ['key', 'Keys'],
  ['mailbox', 'Mailboxes'],
  ['view', 'Views'],
  ['label', 'Labels'],
  ['ai_rule', 'AI rules'],
  ['auto_forward_rule', 'Forwards'],
  ['inbox_filter', 'Inbox filters'],
  ['backfill', 'Backfills'],
  ['webhook', 'Webhooks'],
  ['draft', 'Drafts'],
  ['approval', 'Approvals'],
  ['reply', 'Automatic replies'],
  ['agent_sending', 'Sending by agents'],
  ['grant', 'MCP clients'],
  ['email', 'Emails, one by one'],
  ['emails', 'Emails, in bulk'],
  ['person', 'Accounts'],
  ['member', 'Members'],
  ['invitation', 'Invitations'],
  ['workspace', 'Workspace'],
];

const SUBJECTS: Readonly<Record<string, string>> = {
  ai_rule: 'AI rule',
  auto_forward_rule: 'Forward',
  agent_sending: 'Sending by agents',
  grant: 'MCP client',
  reply: 'Automatic reply',
};

/** `webhook.secret_rotated` as `Webhook: secret rotated`. An action that is new here is still readable. */
export function actionWords(action: string): string {
  const [subject = '', verb = ''] = action.split('.');
  const first = capitalized(SUBJECTS[subject] ?? subject.replaceAll('_', ' '));
  return verb === '' ? first : `${first} ${verb.replaceAll('_', ' ')}`;
}
