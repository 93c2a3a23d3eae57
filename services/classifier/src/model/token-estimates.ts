import type { EstimatingModel, Model, ModelEstimate, PastAnswers, Question, Spend, Tokens } from './model.ts';
import { promptFor } from './prompt.ts';

/** Four Latin characters, or about one of another script. */
const BYTES_OF_A_TOKEN = 4;
const TOKENS_OF_A_VERDICT = 45;
/** The guess before any answer weighs as much as one usual answer, so it soon counts little. */
const FIRST = { inputTokens: 500, outputTokens: TOKENS_OF_A_VERDICT };
/** The share of the past that an answer leaves, so that a changed model is learned within a hundred answers. */
const KEPT = 0.98;

/** Answers of before count as much as so many of this process: the model may be another one since. */
const MOST_PAST = 20;

interface TokenEstimates {
  of(question: Question, past?: PastAnswers): ModelEstimate;
  learn(question: Question, reported: Tokens): void;
}

/** Tokenizers differ, and models differ in length: a rough count is corrected by the tokens of earlier answers. */
export function createTokenEstimates(): TokenEstimates {
  const counted = { ...FIRST };
  const said = { ...FIRST };
  return {
    of: (question, past) => {
      const rough = roughly(question);
      const share = past && past.count > 0 ? Math.min(1, MOST_PAST / past.count) : 0;
      const estimated = (kind: keyof Tokens): number => {
        const reported = said[kind] + share * (past?.reported[kind] ?? 0);
        return Math.round((rough[kind] * reported) / (counted[kind] + share * (past?.rough[kind] ?? 0)));
      };
      return { calls: 1, inputTokens: estimated('inputTokens'), outputTokens: estimated('outputTokens') };
    },
    learn: (question, reported) => {
      const rough = roughly(question);
      for (const kind of ['inputTokens', 'outputTokens'] as const) {
        counted[kind] = counted[kind] * KEPT + rough[kind];
        said[kind] = said[kind] * KEPT + reported[kind];
      }
    },
  };
}

/** It learns from each judgement, also of one that had to be asked for again. */
export function withEstimates(model: Model): EstimatingModel {
  const estimates = createTokenEstimates();
  return {
    ...model,
    estimate: estimates.of,
    judge: async (question, signal, spend) => {
      const judgement = await model.judge(question, signal, spend && withRough(question, spend));
      estimates.learn(question, judgement);
      return judgement;
    },
  };
}

/** The first answer is one to the question. A later one is to the question and an answer that could not be read. */
function withRough(question: Question, spend: Spend): Spend {
  let isFirst = true;
  return (answer) => {
    spend(isFirst ? { ...answer, rough: roughly(question) } : answer);
    isFirst = false;
  };
}

function roughly(question: Question): Tokens {
  const bytes = promptFor(question).reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  return { inputTokens: bytes / BYTES_OF_A_TOKEN, outputTokens: question.rules.length * TOKENS_OF_A_VERDICT };
}
