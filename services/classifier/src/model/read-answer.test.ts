import { describe, expect, it } from '@jest/globals';
import { growthOf, LINEAR } from '../../../../test/support/growth.ts';
import { jsonIn } from './json-in.ts';
import { readVerdicts } from './read-answer.ts';
import { replyShape } from './reply-prompt.ts';

const rules = [{ ruleId: 'r1', condition: 'about invoices' }];
const verdict = '{"rule_id":"r1","applies":true,"confidence":90,"reason":"it is"}';
const whole = `{"verdicts":[${verdict}]}`;

describe('an answer of a model', () => {
  it.each([
    ['bare', whole],
    ['fenced', `\`\`\`json\n${whole}\n\`\`\``],
    ['fenced without a word and with space', `  \`\`\`  \n\n${whole}\n\n\`\`\`  \n`],
    ['behind a sentence', `Here it is: ${whole} I hope it helps.`],
  ])('is read when it is %s', (_name, content) => {
    expect(readVerdicts(content, rules)).toEqual([{ ruleId: 'r1', applies: true, confidence: 90, reason: 'it is' }]);
  });

  it.each([
    [100, 100],
    [0, 0],
    [89.6, 90],
    [100.4, 0],
    [170, 0],
    [1e9, 0],
    [-1, 0],
    ['95', 0],
    [true, 0],
    [null, 0],
    [[95], 0],
    [undefined, 0],
  ])('with a confidence of %j is as sure as %s', (confidence, expected) => {
    const said = JSON.stringify({ verdicts: [{ rule_id: 'r1', applies: true, confidence, reason: 'it is' }] });
    expect(readVerdicts(said, rules)).toMatchObject([{ applies: true, confidence: expected }]);
  });

  it('with a long reply is read whole: a reply that is too long to be sent is a draft that ends where the model ended', () => {
    const reply = 'word '.repeat(4_000).trim();
    expect(replyShape.read(JSON.stringify({ reply }))).toBe(reply);
  });

  it.each([
    ['longer than any answer to what is asked', `${' '.repeat(200_000)}${whole}`],
    ['of more verdicts than a workspace has rules', `{"verdicts":[${`${verdict},`.repeat(1_000)}${verdict}]}`],
  ])('is not read when it is %s', (_name, content) => {
    expect(readVerdicts(content, rules)).toBeUndefined();
  });

  it.each([
    ['newlines behind a fence', '\n'],
    ['spaces behind a fence', ' '],
    ['braces behind a fence', '{'],
    ['fences', '```'],
    ['fences and newlines', '```\n'],
  ])('takes a time that grows with its length: %s', (_name, piece) => {
    const read = (size: number) => void jsonIn(`\`\`\`${piece.repeat(size / piece.length)}a`);
    expect(growthOf(read, 128_000)).toBeLessThanOrEqual(LINEAR);
  });
});
