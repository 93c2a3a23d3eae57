import type { Feature, Scope } from '@postroom/contract/lists';
import type { Ids } from '@postroom/runtime/ids';
import { z } from 'zod';
import type { RestCall } from '../gateway/gateway-client.ts';
import type { Arguments } from './rest-call.ts';

/** The hints of the protocol. Each tool says all of them: an absent one means the worst. */
interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A tool as data: the call of the REST API that it stands for, and how the answer is shown. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  scope: Scope;
  /** The Send emails permission. */
  permission?: 'send';
  /** Its endpoint exists only where this part of the API is open. */
  feature?: Feature;
  annotations: Annotations;
  /** JSON Schemas. */
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
  call(given: Arguments): RestCall;
  /** The structured result, of no more than the bytes of an answer. */
  show(body: unknown, given: Arguments, ids: Ids): Record<string, unknown>;
}

interface Spec<Output extends z.ZodType<Record<string, unknown>>> extends Omit<
  Tool,
  'inputSchema' | 'outputSchema' | 'show'
> {
  input: z.ZodObject;
  /** The structured result has these fields, and no other. */
  output: Output;
  show(body: never, given: Arguments, ids: Ids): z.input<Output>;
}

export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const CHANGES: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export function defineTool<Output extends z.ZodType<Record<string, unknown>>>(spec: Spec<Output>): Tool {
  const { input, output, show, ...said } = spec;
  return {
    ...said,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: schemaOf(output, 'output'),
    show: (body, given, ids) => output.parse(show(body as never, given, ids)),
  };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io });
  return described as Record<string, unknown>;
}
