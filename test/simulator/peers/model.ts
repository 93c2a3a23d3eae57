import { alwaysAvailable, type Model } from '../../../services/classifier/src/model/model.ts';
import type { Process } from '../world/process.ts';

/** One question of one classifier, from its beginning to its end, in virtual time. */
export interface Question {
  subject: string;
  by: Process;
  begun: number;
  ended: number | undefined;
}

export interface ScriptedModel {
  of(pod: Process): Model;
  questions(): readonly Question[];
}

const FASTEST_MS = 100;
const SLOWEST_MS = 3_000;

/**
 * The subject says what the model thinks. About `perhaps` it thinks something else each time, `poison` it can never
 * answer, and any other email may fail it once.
 */
export function scriptedModel(): ScriptedModel {
  const questions: Question[] = [];
  const failed = new Set<string>();
  const of = (pod: Process): Model => {
    const { world, context } = pod;
    const { chance, faults } = world;
    return {
      availability: alwaysAvailable,
      judge: async ({ rules, mail: { subject } }, signal) => {
        const question: Question = { subject, by: pod, begun: world.now(), ended: undefined };
        questions.push(question);
        const end = () => (question.ended ??= world.now());
        pod.onDeath.push(end);
        world.trace.say(pod.name, `asks the model about ${subject}`);
        await context.clock.sleep(chance.between(FASTEST_MS, SLOWEST_MS), signal).finally(end);
        if (subject.startsWith('poison')) throw new Error('no answer can be read');
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
      reply: async ({ subject }) => `An answer to ${subject}`,
    };
  };
  return { of, questions: () => questions };
}
