import { describe, expect, it } from '@jest/globals';
import { type MailText, toMailText } from '../mail/mail-text.ts';
import type { Verdict } from '../model/model.ts';
import { CONDITIONS, type ConditionName, corpus } from './corpus.test-support.ts';
import { lexicalJudge } from './lexical-judge.ts';

const NAMES = Object.keys(CONDITIONS) as ConditionName[];
const RULES = NAMES.map((ruleId) => ({ ruleId, condition: CONDITIONS[ruleId] }));

/** Subject, sender, date and text alone. */
function withoutContext(mail: MailText): MailText {
  const nothing = { to: [], cc: [], recipients: 0, attachments: [] };
  return { ...mail, ...nothing, facts: { hasWrittenToSender: false } };
}

/** Of the emails, those whose verdicts are all as expected; and of the verdicts, those that are. */
async function figures(seen: (mail: MailText) => MailText) {
  const judge = lexicalJudge();
  let [emails, verdicts] = [0, 0];
  const wrong: string[] = [];
  for (const { mail, expected } of corpus) {
    const question = { rules: RULES, mail: seen(toMailText(mail)) };
    const { verdicts: said } = await judge.judge(question, new AbortController().signal);
    const isRight = ({ ruleId, applies }: Verdict) => applies === expected.includes(ruleId as ConditionName);
    const faults = said.filter((verdict) => !isRight(verdict)).map(({ ruleId }) => ruleId);
    verdicts += said.length - faults.length;
    if (faults.length === 0) emails += 1;
    else wrong.push(`${mail.subject}: ${faults.join()}`);
  }
  return { emails, verdicts, wrong };
}

describe(`the judge of words over ${corpus.length} emails and ${NAMES.length} conditions`, () => {
  it('has every verdict right with what it sees', async () => {
    expect(await figures((mail) => mail)).toEqual({ emails: 60, verdicts: 480, wrong: [] });
  });

  it('has thirteen emails right where only subject, sender and text are shown', async () => {
    expect(await figures(withoutContext)).toMatchObject({ emails: 13, verdicts: 393 });
  });
});
