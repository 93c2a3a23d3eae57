import type { ConditionPatternDocument } from '@postroom/mail-store/documents/pattern';
import type { LearnedVerdict, PatternStore } from './pattern-store.ts';
import type { MatchedEmail } from './patterns.ts';

const NEVER = new Date(0);

/** The promises of the store, in memory. */
export function memoryPatterns() {
  const patterns = new Map<string, ConditionPatternDocument>();
  const claims: string[] = [];
  const store: PatternStore = {
    find: async (_workspaceId, ids) => ids.flatMap((id) => copyOf(patterns.get(id)) ?? []),
    async claim(_workspaceId, { _id, applied }) {
      const pattern = patterns.get(_id);
      const other = applied.length > 0 ? 'notApplied' : 'applied';
      if (!pattern || pattern[other].length > 0) return null;
      claims.push(_id);
      pattern.answered += 1;
      pattern.unchecked += 1;
      return copyOf(pattern) ?? null;
    },
    async learn(workspaceId, verdicts) {
      for (const { id, list, witness, confidence, ...said } of verdicts) {
        const pattern = patterns.get(id) ?? firstOf(workspaceId, id, said);
        if (witness !== undefined && !pattern[list].includes(witness)) pattern[list].push(witness);
        pattern.confidence = Math.min(pattern.confidence, confidence);
        pattern.unchecked = 0;
        patterns.set(id, pattern);
      }
    },
  };
  return { store, patterns, claims };
}

function copyOf(pattern: ConditionPatternDocument | undefined): ConditionPatternDocument | undefined {
  return pattern && { ...pattern, applied: [...pattern.applied], notApplied: [...pattern.notApplied] };
}

function firstOf(
  workspaceId: string,
  _id: string,
  { facts, ruleId, version }: Pick<LearnedVerdict, 'facts' | 'ruleId' | 'version'>,
): ConditionPatternDocument {
  const times = { createdAt: NEVER, updatedAt: NEVER, expiresAt: NEVER };
  const counts = { answered: 0, unchecked: 0, confidence: 100 };
  return { _id, workspaceId, ruleId, version, ...facts, applied: [], notApplied: [], ...counts, ...times };
}

/** A newsletter to the mailbox, with the given parts. */
export const automaticEmail = (parts: Partial<MatchedEmail> = {}): MatchedEmail => ({
  _id: 'eml_1',
  mailboxId: 'mbx_1',
  senderAddress: 'news@shop.example',
  senderDomain: 'shop.example',
  subject: 'Our offers',
  attachments: [],
  isAutomatic: true,
  failsDmarc: false,
  mailboxIn: 'to',
  authentication: { spf: null, dkim: null, dmarc: 'pass' },
  ...parts,
});

export const COMPILED_RULE = {
  _id: 'air_1',
  condition: 'The email is a newsletter',
  compiledSince: NEVER,
  autoDraftEnabled: false,
};
