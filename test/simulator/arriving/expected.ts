import { type Happening, has } from './happenings.ts';
import type { StoredEmail } from './promises.ts';
import { isDeleted, type RuleChange, versionsOf } from './rule-changes.ts';
import { FARTHEST_CLOCK_MS } from '../world/process.ts';
import { forwardRuleIdOf, labelIdOf } from './setting.ts';
import type { Witness } from './witness.ts';

/** Undefined where it is left to chance. */
type Maybe = boolean | undefined;

/** One email, and all that people did with it and with the rules. */
export interface Case {
  email: StoredEmail;
  own: readonly Happening[];
  changes: readonly RuleChange[];
  witness: Witness;
}

const either = (all: readonly Maybe[]): Maybe => (all.every((one) => one === all[0]) ? all[0] : undefined);
const both = (one: Maybe, other: Maybe): Maybe => {
  if (one === false || other === false) return false;
  return one && other;
};

function metVersions({ email: { _id, workspaceId }, changes, witness }: Case, kind: RuleChange['kind'], name: string) {
  const storedAt = witness.stored.get(_id)?.at ?? 0;
  // A forward comes at any time behind the classification.
  const doneWithAt = kind === 'label' ? (witness.classified.get(_id)?.[0] ?? Infinity) : Infinity;
  return versionsOf(changes, { workspaceId, kind, name }, { storedAt, doneWithAt });
}

/** The verdict of the model on a condition, about which it sometimes changes its mind. */
function verdictOn({ subject }: StoredEmail, condition: string): Maybe {
  if (subject.startsWith('poison')) return false;
  if (subject.startsWith('perhaps') && condition === 'price') return undefined;
  return subject.startsWith(condition);
}

/** The label of the classification. */
function isJudged(one: Case, label: string): Maybe {
  return either(metVersions(one, 'label', label).map((rule) => (rule ? verdictOn(one.email, rule.condition) : false)));
}

/** Whether the email has the label in the end. */
export function hasLabel(one: Case, label: string): Maybe {
  const { own, changes, email } = one;
  if (isDeleted(changes, { workspaceId: email.workspaceId, kind: 'label', name: label })) return false;
  const about = own.filter((happening) => happening.label === label);
  const isGiven = has(about, 'is given a label');
  const isTakenOff = about.some((happening) => happening.isTakenOff);
  // It may be given, taken off and given again, in any order.
  if (isTakenOff) return isGiven ? undefined : false;
  return isGiven || isJudged(one, label);
}

/** Whether a rule replies. People who trash an email may do so before it is answered. */
export function isAnswered(one: Case): Maybe {
  const rules = metVersions(one, 'label', 'Prices');
  const wanted = either(rules.map((rule) => (rule?.replies ? verdictOn(one.email, rule.condition) : false)));
  if (wanted === undefined && rules.length === 1 && isLeftAlone(one))
    return one.email.labelIds.includes(labelIdOf(one.email.workspaceId, 'Prices'));
  return has(one.own, 'is trashed') ? both(wanted, undefined) : wanted;
}

/** The label then tells what the model said. */
const isLeftAlone = ({ own, email: { workspaceId }, changes }: Case): boolean =>
  !has(own, 'is trashed') &&
  !own.some(({ label, fate }) => label === 'Prices' && fate.endsWith('a label')) &&
  !isDeleted(changes, { workspaceId, kind: 'label', name: 'Prices' });

/** Each forward rule, and whether it forwards the email. */
export function forwardsOf(one: Case): Map<string, Maybe> {
  const { workspaceId, subject } = one.email;
  const isTrashed = has(one.own, 'is trashed');
  const bySubject = (condition: string): Maybe => subject.includes(condition);
  const byLabel = isDeleted(one.changes, { workspaceId, kind: 'label', name: 'Invoices' })
    ? both(isJudged(one, 'Invoices'), undefined)
    : isJudged(one, 'Invoices');
  const forwards = (name: string) => {
    const said = metVersions(one, 'forward', name).map((rule) => {
      if (!rule) return false;
      return rule.condition === 'Invoices' ? byLabel : bySubject(rule.condition);
    });
    return isTrashed ? both(either(said), undefined) : either(said);
  };
  const names = ['Invoices', 'lunch'];
  const known = names.map((name) => [forwardRuleIdOf(workspaceId, name), forwards(name)] as const);
  const made = one.changes.filter((change) => change.workspaceId === workspaceId && change.ruleId !== undefined);
  return new Map([...known, ...made.map((rule) => [rule.ruleId ?? '', isForwardedByMade(one, rule)] as const)]);
}

/** A clock may put an email behind a rule that was made some seconds later. */
const NEARLY_MS = 5_000 + 2 * FARTHEST_CLOCK_MS;

/** A rule forwards no email from before it was made. */
function isForwardedByMade({ email, own, witness }: Case, { begunAt = 0, doneAt = Infinity }: RuleChange): Maybe {
  const { at = 0 } = witness.stored.get(email._id) ?? {};
  const [classifiedAt = Infinity] = witness.classified.get(email._id) ?? [];
  if (classifiedAt === Infinity || classifiedAt < begunAt - NEARLY_MS) return false;
  return at > doneAt && !has(own, 'is trashed') ? true : undefined;
}
