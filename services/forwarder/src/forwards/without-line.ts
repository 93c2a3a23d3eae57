import { autoForwardLogId } from '@postroom/mail-store/auto-forward-log-id';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import { appliesTo } from './condition.ts';
import type { SweepStore } from './sweep-store.ts';

/** An email, the labels of its classification, and the rules that are no younger than it. */
export interface Swept {
  workspaceId: string;
  emailId: string;
  labelIds: readonly string[];
  rules: readonly AutoForwardRuleDocument[];
}

type Store = Pick<SweepStore, 'everyWorkspacesEmails' | 'everyWorkspacesAiLabels' | 'everyWorkspacesLogged'>;

/** Rules that are compared with emails, each with each. */
const COMPARED_AT_ONCE = 5_000;

/**
 * Those of many emails to which a rule applies that has no line about them in its log. Three reads tell it of hundreds: another
 * process has seen to nearly every email that a sweep finds.
 */
export async function withoutLine(store: Store, swept: readonly Swept[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const part of inParts(swept)) for (const id of await openOf(store, part)) found.add(id);
  return found;
}

/** A workspace with many rules holds the process up for some milliseconds, and not for as long as its page has emails. */
function inParts(swept: readonly Swept[]): Swept[][] {
  const parts: Swept[][] = [];
  let left = 0;
  for (const one of swept) {
    if (one.rules.length === 0) continue;
    if (one.rules.length > left) {
      parts.push([]);
      left = COMPARED_AT_ONCE;
    }
    parts.at(-1)?.push(one);
    left -= one.rules.length;
  }
  return parts;
}

async function openOf(store: Store, open: readonly Swept[]): Promise<string[]> {
  const workspaceIds = [...new Set(open.map(({ workspaceId }) => workspaceId))];
  const [emails, labels] = await Promise.all([emailsOf(store, workspaceIds, open), labelsOf(store, open)]);
  const lines = open.flatMap(({ workspaceId, emailId, labelIds, rules }) => {
    const email = emails.get(emailId);
    if (email?.workspaceId !== workspaceId || email.folderType !== 'INBOX') return [];
    const named = labelIds.flatMap((id) => labels.get(id) ?? []).filter((label) => label.workspaceId === workspaceId);
    const candidate = {
      sender: email.senderAddress,
      subject: email.subject,
      labels: named.map(({ name }) => name),
    };
    const applying = rules.filter((rule) => appliesTo(rule, candidate));
    return applying.map((rule) => ({ emailId, lineId: autoForwardLogId(workspaceId, rule._id, emailId) }));
  });
  if (lines.length === 0) return [];
  const logged = await store.everyWorkspacesLogged(
    workspaceIds,
    lines.map(({ lineId }) => lineId),
  );
  return lines.flatMap(({ emailId, lineId }) => (logged.has(lineId) ? [] : [emailId]));
}

async function emailsOf(store: Store, workspaceIds: readonly string[], open: readonly Swept[]) {
  const found = await store.everyWorkspacesEmails(
    workspaceIds,
    open.map(({ emailId }) => emailId),
  );
  return new Map(found.map((email) => [email._id, email]));
}

/** The labels of those emails whose workspace has a rule that compares them. */
async function labelsOf(store: Store, open: readonly Swept[]) {
  const comparing = open.filter(({ rules }) => rules.some(({ conditionField }) => conditionField === 'label'));
  const ids = [...new Set(comparing.flatMap(({ labelIds }) => labelIds))];
  if (ids.length === 0) return new Map<string, never>();
  const workspaceIds = [...new Set(comparing.map(({ workspaceId }) => workspaceId))];
  const found = await store.everyWorkspacesAiLabels(workspaceIds, ids);
  return new Map(found.map((label) => [label._id, label]));
}
