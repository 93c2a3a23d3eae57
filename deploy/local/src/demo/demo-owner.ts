import { ApiError } from '@postroom/errors/api-error';
import { IdentityOperatorServiceDefinition, IdentityServiceDefinition } from '@postroom/proto/postroom/v1/identity';
import { connect } from '@postroom/rpc/connect';
import type { ServiceContext } from '@postroom/runtime/service';
import { DEMO_MAILBOXES } from './demo-mail.ts';

const { email, name } = DEMO_MAILBOXES[0];

interface AppOfStack {
  operatorToken: string;
  addresses: Readonly<Record<'IDENTITY_ADDR' | 'IDENTITY_OPERATOR_ADDR', string>>;
  appUrl: string;
}

/** A link that signs the demo owner in once, good for ten minutes. The owner is invited at the first start. */
export async function demoSignInUrl(
  { addresses, operatorToken, appUrl }: AppOfStack,
  workspaceId: string,
  context: ServiceContext,
): Promise<string> {
  const operators = connect(IdentityOperatorServiceDefinition, addresses.IDENTITY_OPERATOR_ADDR, {
    context,
    token: operatorToken,
  });
  const identity = connect(IdentityServiceDefinition, addresses.IDENTITY_ADDR, { context });
  const link = () => operators.createSignInLink({ email }, {});
  const join = async () => {
    const { token } = await operators.invitePerson({ workspaceId, email, role: 'owner' }, {});
    const { person, session } = await identity.acceptLink(
      { token, visitor: { address: '', userAgent: 'npm start' } },
      {},
    );
    const personId = person?.id ?? '';
    await identity.renamePerson({ personId, name }, {});
    await identity.endSession({ personId, sessionId: session?.id ?? '' }, {});
    return link();
  };
  const { token } = await link().catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'PERSON_NOT_FOUND') return join();
    throw error;
  });
  operators.close();
  identity.close();
  return `${appUrl}/link#${token}`;
}
