import type { EstimatingModel, Judgement, Model, ModelEstimate, Question } from './model.ts';
import { promptFor } from './prompt.ts';

type Tokens = Pick<Judgement, 'inputTokens' | 'outputTokens'>;

/** Four Latin characters, or about one of another script. */
const BYTES_OF_A_TOKEN = 4;
const TOKENS_OF_A_VERDICT = 45;
/** The guess before any answer weighs as much as one usual answer, so it soon counts little. */
const FIRST = { inputTokens: 500, outputTokens: TOKENS_OF_A_VERDICT };
/** The share of the past that an answer leaves, so that a changed model is learned within a hundred answers. */
const KEPT = 0.98;

export interface TokenEstimates {
  of(question: Question): ModelEstimate;
  learn(question: Question, reported: Tokens): void;
}

/** Tokenizers differ, and models differ in length: a rough count is corrected by the tokens of earlier answers. */
export function createTokenEstimates(): TokenEstimates {
  const counted = { ...FIRST };
  const said = { ...FIRST };
  return {
    of: (question) => {
      const rough = roughly(question);
      return {
        calls: 1,
        inputTokens: Math.round((rough.inputTokens * said.inputTokens) / counted.inputTokens),
        outputTokens: Math.round((rough.outputTokens * said.outputTokens) / counted.outputTokens),
      };
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
    judge: async (question, ...call) => {
      const judgement = await model.judge(question, ...call);
      estimates.learn(question, judgement);
      return judgement;
    },
  };
}

function roughly(question: Question): Tokens {
  const bytes = promptFor(question).reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  return { inputTokens: bytes / BYTES_OF_A_TOKEN, outputTokens: question.rules.length * TOKENS_OF_A_VERDICT };
}
