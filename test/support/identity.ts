import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import {
  IdentityOperatorServiceDefinition,
  IdentityServiceDefinition,
  type SignedIn,
} from '@postroom/proto/postroom/v1/identity';
import { connect } from '@postroom/rpc/connect';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from './database.ts';
import { QUICK_PASSWORDS } from './quick-passwords.ts';
import { service } from '@postroom/identity/service';

/** The database removes what has expired by the real time, which must not come first. */
const START = Date.parse('2090-06-01T00:00:00Z');
export const HOUR = 3_600_000;
export const PASSWORD = 'correct horse battery';
export const visitor = { address: '203.0.113.7', userAgent: 'Browser' };

export type Identity = Awaited<ReturnType<typeof openIdentity>>;

/** The service over a database of its own, and a workspace that each test begins with. */
export const ISSUER = 'http://localhost:4000';
export const RESOURCE = 'http://127.0.0.1:5000/mcp';

const SETTINGS = {
  HOST: '127.0.0.1',
  GRPC_PORT: 0,
  OPERATOR_PORT: 0,
  OPERATOR_TOKEN: 'operators',
  OAUTH_ISSUER: ISSUER,
  MCP_URL: RESOURCE,
  ...QUICK_PASSWORDS,
};

export async function openIdentity(more: Record<string, unknown> = {}) {
  const clock = manualClock(START);
  const context = createServiceContext({ name: 'identity', clock, log: silentLog });
  const uri = freshDatabaseUri();
  const { collections, connection } = await openMailStore({ uri, needsSchema: false }, context);
  await migrate(connection, context);
  context.lifecycle.add('test database', () => connection.dropDatabase());
  const settings = { MONGODB_URI: uri, ...SETTINGS, ...more };
  const { port, operatorPort } = await service.open(service.config.parse(settings), context);
  const people = connect(IdentityServiceDefinition, `127.0.0.1:${port}`, { context });
  const operators = connect(IdentityOperatorServiceDefinition, `127.0.0.1:${operatorPort}`, {
    context,
    token: 'operators',
  });
  const now = { workspaceId: '', count: 0 };

  const newWorkspace = async (): Promise<string> => {
    now.workspaceId = context.ids('ws');
    const fields = { name: 'Acme', plan: 'expert' as const, planUntil: null, suspendedAt: null };
    await collections.workspaces.create({ _id: now.workspaceId, ...fields, createdAt: clock.date() });
    return now.workspaceId;
  };
  const emailOf = (name: string) => `${name}.${now.count}@acme.example`;
  /** A new person, who opened the link of an invitation by an operator. */
  const joined = async (name: string, role = 'owner'): Promise<SignedIn> => {
    const { token } = await operators.invitePerson({ workspaceId: now.workspaceId, email: emailOf(name), role }, {});
    return people.acceptLink({ token, visitor }, {});
  };
  return {
    ...people,
    operators,
    clock,
    collections,
    newWorkspace,
    emailOf,
    joined,
    /** In the workspace that was made last. */
    within: () => ({ workspaceId: now.workspaceId }),
    begin: async () => {
      clock.set(START + (now.count += 1) * 1_000 * HOUR);
      await newWorkspace();
    },
    withPassword: async (name: string, role = 'owner'): Promise<SignedIn> => {
      const signedIn = await joined(name, role);
      const ids = { personId: signedIn.person!.id, sessionId: signedIn.session!.id };
      await people.setPassword({ ...ids, password: PASSWORD, visitor }, {});
      return signedIn;
    },
    withPasswordOf: (name: string, password = PASSWORD, address = visitor.address) =>
      people.signIn({ email: emailOf(name), password, visitor: { ...visitor, address } }, {}),
    close: () => context.lifecycle.close(),
  };
}

export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    ({ code }) => code as string,
  );
