import { parseSync } from '@swc/core';
import { productSources, type Source } from './sources.ts';

export interface Expression {
  path: string;
  expression: RegExp;
}

interface Node {
  type?: string;
  pattern?: string;
  flags?: string;
  callee?: { value?: string };
}

/** Every regular expression that is written in services and libs; generated code is read by nobody's text. */
export function writtenExpressions(): Expression[] {
  return sourcesOfText().flatMap((source) =>
    nodesOf(source)
      .filter(({ type }) => type === 'RegExpLiteral')
      .map(({ pattern = '', flags }) => ({ path: source.path, expression: new RegExp(pattern, flags) })),
  );
}

/** Files that put an expression together when they run. */
export function filesThatBuildExpressions(): string[] {
  return sourcesOfText()
    .filter(
      (source) =>
        source.text.includes('RegExp') &&
        nodesOf(source).some(({ type, callee }) => type === 'NewExpression' && callee?.value === 'RegExp'),
    )
    .map(({ path }) => path);
}

const sourcesOfText = (): Source[] =>
  productSources().filter(({ path }) => !path.startsWith('deploy/') && !path.includes('.test-support.'));

function nodesOf({ text }: Source): Node[] {
  const found: Node[] = [];
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if ('type' in value) found.push(value as Node);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(parseSync(text, { syntax: 'typescript', target: 'es2022' }).body);
  return found;
}
