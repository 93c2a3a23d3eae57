import { autoForwardLogId } from '@postroom/mail-store/auto-forward-log-id';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import { appliesTo } from './condition.ts';
import type { SweepStore } from './sweep-store.ts';

/** An email, the labels of its classification, and the rules that are no younger than it. */
interface Swept {
  emailId: string;
  labelIds: readonly string[];
  rules: readonly AutoForwardRuleDocument[];
}

/**
 * Those of many emails to which a rule applies that has no line about them in its log. Three reads tell it of all: another
 * process has seen to nearly every email that a sweep finds.
 */
export async function withoutLine(
  store: Pick<SweepStore, 'emails' | 'aiLabels' | 'logged'>,
  workspaceId: string,
  swept: readonly Swept[],
): Promise<Set<string>> {
  const open = swept.filter(({ rules }) => rules.length > 0);
  if (open.length === 0) return new Set();
  const compareLabels = open.some(({ rules }) => rules.some(({ conditionField }) => conditionField === 'label'));
  const labelIds = compareLabels ? [...new Set(open.flatMap((one) => one.labelIds))] : [];
  const [found, labels] = await Promise.all([
    store.emails(
      workspaceId,
      open.map(({ emailId }) => emailId),
    ),
    labelIds.length > 0 ? store.aiLabels(workspaceId, labelIds) : new Map<string, string>(),
  ]);
  const emails = new Map(found.map((email) => [email._id, email]));
  const lines = open.flatMap(({ emailId, labelIds: ids, rules }) => {
    const email = emails.get(emailId);
    if (email?.folderType !== 'INBOX') return [];
    const names = ids.flatMap((id) => labels.get(id) ?? []);
    const candidate = { sender: email.senderAddress, subject: email.subject, labels: names };
    const applying = rules.filter((rule) => appliesTo(rule, candidate));
    return applying.map((rule) => ({ emailId, lineId: autoForwardLogId(workspaceId, rule._id, emailId) }));
  });
  if (lines.length === 0) return new Set();
  const logged = await store.logged(
    workspaceId,
    lines.map(({ lineId }) => lineId),
  );
  return new Set(lines.flatMap(({ emailId, lineId }) => (logged.has(lineId) ? [] : [emailId])));
}
