import { z } from 'zod';

/** The parts of an email that are compared with words, and the facts that the mail system adds. */
const seenEmail = z.object({
  from: z.string(),
  subject: z.string(),
  text: z.string(),
  attachments: z.array(z.object({ name: z.string(), type: z.string() })),
});
const seenFacts = z.object({
  mailboxIn: z.enum(['to', 'cc', 'neither']).optional(),
  hasWrittenToSender: z.boolean(),
});
const material = z.object({ facts: seenFacts, email: seenEmail });
const rules = z.array(z.object({ rule_id: z.string(), condition: z.string() }));
const request = z.object({
  messages: z
    .tuple([
      z.object({ role: z.literal('system'), content: z.string() }),
      z.object({ role: z.literal('user'), content: z.string() }),
    ])
    .rest(z.unknown()),
});

export type SeenEmail = z.infer<typeof seenEmail> & { facts: z.infer<typeof seenFacts> };
export type WordRule = z.infer<typeof rules>[number];

interface WordQuestion {
  email: SeenEmail;
  /** Undefined where a reply is asked for. */
  rules: WordRule[] | undefined;
}

const BEFORE_RULES = '\nRules:\n';

/** Reads a request of the classifier: the rules at the end of the instructions, and the email as the first message. */
export function readQuestion(body: string): WordQuestion {
  const [{ content: instructions }, { content: asked }] = request.parse(JSON.parse(body)).messages;
  const { facts, email } = material.parse(JSON.parse(asked));
  // The rules are one JSON text, in which a line break is escaped. So nothing in a condition is taken for this line.
  const at = instructions.lastIndexOf(BEFORE_RULES);
  const ruleText = at === -1 ? undefined : instructions.slice(at + BEFORE_RULES.length);
  return { email: { ...email, facts }, rules: ruleText === undefined ? undefined : rules.parse(JSON.parse(ruleText)) };
}
