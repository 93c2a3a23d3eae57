import type { Chance } from '../world/chance.ts';
import { CONDITIONS, type LABELS, WORKSPACES } from './setting.ts';

/** A rule as it is; undefined where it is off or deleted. */
interface Version {
  condition: string;
  /** An AI rule prepares replies. */
  replies?: boolean;
}

/** A change that its owner makes to one rule while emails arrive. */
export interface RuleChange {
  workspaceId: string;
  kind: 'label' | 'forward';
  /** The label of an AI rule, or the condition of a forward rule. */
  name: string;
  fate: Fate;
  afterMs: number;
  /** Between two steps of it. */
  pauseMs: number;
  /** Set when its owner began and was answered. A call that was repeated may have its effect at any time. */
  begunAt?: number;
  doneAt?: number;
  isRepeated: boolean;
  /** Of a rule that was made. */
  ruleId?: string;
}

const OF_LABELS = ['has another condition', 'prepares no replies', 'is deleted'] as const;
/** Of a forward rule that is not there before. */
const IS_MADE = 'is made';
const OF_FORWARDS = ['has another condition', 'is switched off', 'is switched off and on', 'is deleted'] as const;
type Fate = (typeof OF_LABELS)[number] | (typeof OF_FORWARDS)[number] | typeof IS_MADE;

export const OTHER_CONDITION = 'weather';
/** Each subject has it: a rule that is made while emails arrive forwards all of them. */
const MADE_RULE = 'of wsp';
const SHARE = 0.35;
const LATEST_MS = 20_000;
const LONGEST_PAUSE_MS = 6_000;

export function drawRuleChanges(chance: Chance): RuleChange[] {
  return WORKSPACES.flatMap((workspaceId) => keepOneLabel(changesOf(chance, workspaceId)));
}

function changesOf(chance: Chance, workspaceId: string): RuleChange[] {
  return RULES.flatMap(({ kind, name }) => {
    if (!chance.happens(SHARE)) return [];
    const fate = name === MADE_RULE ? IS_MADE : chance.pick<Fate>(kind === 'label' ? OF_LABELS : OF_FORWARDS);
    const [afterMs, pauseMs] = [chance.below(LATEST_MS), chance.below(LONGEST_PAUSE_MS)];
    return [{ workspaceId, kind, name, fate, afterMs, pauseMs, isRepeated: false }];
  });
}

/** The model is asked nothing about the mail of a workspace without an AI rule, also about poison. */
function keepOneLabel(changes: readonly RuleChange[]): RuleChange[] {
  const [first, ...others] = changes.filter(({ kind, fate }) => kind === 'label' && fate === 'is deleted');
  return changes.map((one) => (first && others.includes(one) ? { ...one, fate: 'has another condition' } : one));
}

const RULES = [
  { kind: 'label', name: 'Prices' },
  { kind: 'label', name: 'Invoices' },
  { kind: 'forward', name: 'Invoices' },
  { kind: 'forward', name: 'lunch' },
  { kind: 'forward', name: MADE_RULE },
] as const;

type Rule = Pick<RuleChange, 'workspaceId' | 'kind' | 'name'>;

/** The versions of a rule that an email may have met. */
export function versionsOf(
  changes: readonly RuleChange[],
  { workspaceId, kind, name }: Rule,
  { storedAt, doneWithAt }: { storedAt: number; doneWithAt: number },
): (Version | undefined)[] {
  const change = changes.find((one) => one.workspaceId === workspaceId && one.kind === kind && one.name === name);
  const condition = kind === 'label' ? CONDITIONS[name as (typeof LABELS)[number]] : name;
  const first = { condition, replies: kind === 'label' && name === 'Prices' };
  if (!change) return [first];
  const last = lastVersion(first, change.fate);
  if (change.isRepeated) return [first, last, ...off(change)];
  if (storedAt > (change.doneAt ?? Infinity)) return [last];
  return doneWithAt < (change.begunAt ?? Infinity) ? [first] : [first, last, ...off(change)];
}

const off = ({ fate }: RuleChange): undefined[] => (fate === 'is switched off and on' ? [undefined] : []);

function lastVersion(first: Version, fate: Fate): Version | undefined {
  if (fate === 'is deleted' || fate === 'is switched off') return undefined;
  if (fate === 'has another condition') return { ...first, condition: OTHER_CONDITION };
  return fate === 'prepares no replies' ? { ...first, replies: false } : first;
}

export const isDeleted = (changes: readonly RuleChange[], { workspaceId, kind, name }: Rule): boolean =>
  changes.some(
    (one) => one.workspaceId === workspaceId && one.kind === kind && one.name === name && one.fate === 'is deleted',
  );
