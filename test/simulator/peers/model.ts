import { alwaysAvailable } from '../../../services/classifier/src/classify/in-memory.test-support.ts';
import type { Model } from '../../../services/classifier/src/model/model.ts';
import type { Process } from '../world/process.ts';

const USUAL_MS = { least: 100, most: 3_000 };
const SLOW_MS = { least: 5_000, most: 15_000 };

/** The question for the text of a reply. */
export const replyTo = (subject: string) => `a reply to ${subject}`;

/**
 * The subject says what the model thinks. About `perhaps` it thinks something else each time, `poison` it can not
 * answer until it is cured, and any other email may fail it once.
 */
export function scriptedModel(
  onAsked: (question: string) => void = () => undefined,
  isCured: () => boolean = () => false,
): (pod: Process) => Model {
  const failed = new Set<string>();
  return (pod) => {
    const { world, context } = pod;
    const { chance, faults } = world;
    return {
      availability: alwaysAvailable,
      judge: async ({ rules, mail: { subject } }, signal) => {
        world.trace.say(pod.name, `asks the model about ${subject}`);
        onAsked(subject);
        const { least, most } = faults.strikes('slowModel') ? SLOW_MS : USUAL_MS;
        await context.clock.sleep(chance.between(least, most), signal);
        if (subject.startsWith('poison') && !isCured()) throw new Error('no answer can be read');
        if (!failed.has(subject) && faults.strikes('modelFailures')) {
          failed.add(subject);
          throw new Error('the model fails');
        }
        const isPerhaps = subject.startsWith('perhaps') && chance.happens(0.5);
        const applies = (condition: string) => subject.startsWith(condition) || (isPerhaps && condition === 'price');
        const verdicts = rules.map(({ ruleId, condition }) => {
          return { ruleId, applies: applies(condition), confidence: 90, reason: 'the subject says so' };
        });
        return { verdicts, model: 'scripted', inputTokens: 1, outputTokens: 1 };
      },
      reply: async ({ mail: { subject } }) => {
        onAsked(replyTo(subject));
        return `An answer to ${subject}`;
      },
    };
  };
}
