import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { createCompiledConditions } from './compiled-conditions.ts';
import { corpus, type Kind } from './corpus.test-support.ts';
import { stateOf } from './learner.ts';
import { memoryPatterns } from './memory-patterns.test-support.ts';

const KINDS: readonly Kind[] = ['newsletter', 'receipt', 'task'];
const RULES = KINDS.map((kind) => ({
  _id: `air_${kind}`,
  condition: kind,
  compiledSince: new Date(0),
  autoDraftEnabled: false,
}));
const CAUGHT_WITHIN = 50;

interface WrongLabel {
  patternId: string;
  domain: string;
  /** The emails of the domain since then. */
  after: number;
}

async function run() {
  const { store, patterns, claims } = memoryPatterns();
  const compiled = createCompiledConditions(store, manualClock());
  const wrong: WrongLabel[] = [];
  const figures = { emails: 0, withoutCall: 0, wrong: 0, uncaught: 0, latest: 0 };
  for (const { email, kind } of corpus()) {
    for (const one of wrong) if (one.domain === email.senderDomain) one.after += 1;
    claims.length = 0;
    const known = await compiled.of('wsp_1', email, RULES);
    const truth = RULES.map(({ _id: ruleId, condition }) => ({ ruleId, applies: condition === kind }));
    figures.emails += 1;
    if (known.verdicts) figures.withoutCall += 1;
    else await known.learn(truth.map((one) => ({ ...one, confidence: 90, reason: '' })));
    for (const [position, verdict] of (known.verdicts ?? []).entries()) {
      if (verdict.applies === truth[position]?.applies) continue;
      figures.wrong += 1;
      wrong.push({ patternId: claims[position] ?? '', domain: email.senderDomain, after: 0 });
    }
    for (const one of wrong.splice(0)) {
      const pattern = patterns.get(one.patternId);
      if (!pattern || stateOf(pattern) !== 'dropped') wrong.push(one);
      else figures.latest = Math.max(figures.latest, one.after);
      if (one.after === CAUGHT_WITHIN) figures.uncaught += 1;
    }
  }
  figures.uncaught += wrong.filter(({ after }) => after < CAUGHT_WITHIN).length;
  return figures;
}

it('four fifths of newsletters and notifications need no call, and each wrong label is found out within 50 emails', async () => {
  const { emails, withoutCall, wrong, uncaught, latest } = await run();
  expect({ emails, withoutCall, wrong, latest }).toEqual({ emails: 2_914, withoutCall: 2_364, wrong: 78, latest: 13 });
  expect(withoutCall / emails).toBeGreaterThanOrEqual(0.8);
  expect(wrong).toBeGreaterThan(0);
  expect({ uncaught, isSoon: latest <= CAUGHT_WITHIN }).toEqual({ uncaught: 0, isSoon: true });
});
