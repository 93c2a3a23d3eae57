import { IdentityOperatorServiceDefinition, IdentityServiceDefinition } from '@postroom/proto/postroom/v1/identity';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { Json } from './client.ts';
import type { TestStack } from './stack.ts';

interface AppAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON of the body; empty without one. */
  json: Json;
}

interface AppRequest {
  body?: unknown;
  /** They replace those of a browser; an undefined one is left out. */
  headers?: Readonly<Record<string, string | undefined>>;
}

/** A browser on the pages of the app: it keeps one cookie, and says where it is. */
export interface Browser {
  cookie: string;
  call(method: string, path: string, request?: AppRequest): Promise<AppAnswer>;
}

export const PASSWORD_IN_APP = 'correct horse battery';

export type AppPeople = Awaited<ReturnType<typeof openAppPeople>>;

/** People of a running stack, who come in by links as operators hand them over. */
export async function openAppPeople(stack: Pick<TestStack, 'addresses' | 'operatorToken' | 'appUrl'>) {
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  const { addresses, operatorToken: token } = stack;
  const operators = connect(IdentityOperatorServiceDefinition, addresses.IDENTITY_OPERATOR_ADDR, { context, token });
  const identity = connect(IdentityServiceDefinition, addresses.IDENTITY_ADDR, { context });
  const origin = new URL(stack.appUrl).origin;

  const browser = (): Browser => {
    const self: Browser = {
      cookie: '',
      call: async (method, path, { body, headers } = {}) => {
        const sent: Record<string, string | undefined> = {
          cookie: self.cookie || undefined,
          origin: method === 'GET' ? undefined : origin,
          'sec-fetch-site': 'same-origin',
          'content-type': body === undefined ? undefined : 'application/json',
          ...headers,
        };
        const present = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined);
        const response = await fetch(`${origin}/app/api${path}`, {
          method,
          headers: present,
          redirect: 'manual',
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        });
        const [set] = response.headers.getSetCookie();
        if (set) self.cookie = set.includes('Max-Age=0') ? '' : (set.split(';')[0] ?? '');
        const text = await response.text();
        const isJson = response.headers.get('content-type')?.startsWith('application/json');
        return {
          status: response.status,
          headers: response.headers,
          text,
          json: isJson ? JSON.parse(text) : undefined,
        };
      },
    };
    return self;
  };

  return {
    origin,
    operators,
    identity,
    browser,
    /** A new person with this role, signed in. */
    joined: async (workspaceId: string, role: string, email = `${role}.${context.ids('p')}@acme.example`) => {
      const { token: link } = await operators.invitePerson({ workspaceId, email, role }, {});
      const here = browser();
      const { status, json } = await here.call('POST', '/links/accept', { body: { token: link } });
      if (status !== 200) throw new Error(`the link was refused with ${status}`);
      return Object.assign(here, {
        email,
        personId: json.person.id as string,
        workspace: `/workspaces/${workspaceId}`,
      });
    },
    close: () => context.lifecycle.close(),
  };
}
