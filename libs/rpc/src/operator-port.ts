import { port, secret } from '@postroom/runtime/config';
import type { ServiceContext } from '@postroom/runtime/service';
import { type Implementation, withToken } from './definition.ts';
import { serve } from './serve.ts';
import { changingToken } from './token.ts';

/** The admin port. Its services need a token, and are not served when none is configured. */
export const operatorPortFields = {
  OPERATOR_PORT: port.default(50052).describe('The port of gRPC for operators.'),
  OPERATOR_TOKEN: secret.optional().describe('The token of operators. Without it, operators are not served.'),
};

interface OperatorPort {
  HOST: string;
  OPERATOR_PORT: number;
  OPERATOR_TOKEN?: string | undefined;
}

/** For operators, and for services with a token of their own. */
export async function openOperatorPort(
  { HOST, OPERATOR_PORT, OPERATOR_TOKEN }: OperatorPort,
  operators: Implementation,
  context: ServiceContext,
  others: readonly Implementation[] = [],
): Promise<number | undefined> {
  if (!OPERATOR_TOKEN) context.log.info('no OPERATOR_TOKEN: operators are not served');
  const services = [
    ...(OPERATOR_TOKEN ? [withToken(operators, changingToken('OPERATOR_TOKEN', OPERATOR_TOKEN, context))] : []),
    ...others,
  ];
  if (services.length === 0) return undefined;
  return (await serve({ address: `${HOST}:${OPERATOR_PORT}`, services, context })).port;
}
