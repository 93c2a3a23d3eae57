import { openNameServer } from '../../support/name-server.ts';
import { answerWith, type Answering, ok, openReceiver } from '../../support/webhook-receiver.ts';

/** Nobody listens here, and in a long run no other program is given it by chance, as a port that was free a moment ago is. */
const CLOSED = 1;

export const SICKNESSES = ['hangs', 'refuses', 'redirects', 'fails', 'rebinds'] as const;
type Health = 'well' | (typeof SICKNESSES)[number];

export interface Endpoint {
  host: string;
  health: Health;
  workspaceId?: string;
}

/** Every third endpoint is sick, each kind of sickness in turn. */
export function endpointsOf(count: number): Endpoint[] {
  return Array.from({ length: count }, (_, n) => {
    const isSick = n % 3 === 2;
    const health = isSick ? (SICKNESSES[Math.floor(n / 3) % SICKNESSES.length] ?? 'well') : 'well';
    // A routed host is taken for public, so a name that rebinds has no route.
    return { host: health === 'rebinds' ? `e${n}.rebinding.example.com` : `e${n}.hooks.test`, health };
  });
}

export interface Arrival {
  host: string;
  changeId: string;
  delayMs: number;
}

/** The servers of these endpoints, and the settings by which a service finds them. The health of each may change. */
export async function openEndpoints(endpoints: readonly Endpoint[]) {
  const byHost = new Map(endpoints.map((endpoint) => [endpoint.host, endpoint]));
  const arrivals: Arrival[] = [];
  const calls = new Map<Health | 'elsewhere', number>();
  const answers: Partial<Record<Health, Answering>> = {
    hangs: () => undefined,
    redirects: answerWith(302, { location: 'https://elsewhere.hooks.test/' }),
    fails: answerWith(500),
  };
  const receiver = await openReceiver(['*.hooks.test'], (one, response) => {
    receiver.received.length = 0;
    const health = byHost.get(one.host)?.health;
    calls.set(health ?? 'elsewhere', (calls.get(health ?? 'elsewhere') ?? 0) + 1);
    if (health === 'well') {
      const { createdAt } = JSON.parse(one.body) as { createdAt: string };
      const changeId = String(one.headers['webhook-id']);
      arrivals.push({ host: one.host, changeId, delayMs: Date.now() - Date.parse(createdAt) });
    }
    ((health && answers[health]) ?? ok)(one, response);
  });
  // Public when it is checked at the creation, inside at every delivery.
  const names = await openNameServer(['93.184.216.34', '127.0.0.1', '169.254.169.254', '10.0.0.1']);
  const routed = endpoints.filter(({ health }) => health !== 'rebinds');
  const portOf = ({ health }: Endpoint) => (health === 'refuses' ? CLOSED : receiver.port);
  return {
    arrivals,
    calls: (of: Health | 'elsewhere'): number => calls.get(of) ?? 0,
    /** The questions for each name that rebinds. */
    lookups: names.counts,
    settings: {
      WEBHOOK_ROUTES: ['elsewhere.hooks.test', ...routed.map(({ host }) => host)]
        .map((host, n) => `${host}=127.0.0.1:${n === 0 ? receiver.port : portOf(routed[n - 1] as Endpoint)}`)
        .join(','),
      WEBHOOK_CA: receiver.ca,
      WEBHOOK_NAME_SERVER: names.server,
    },
    close: async (): Promise<void> => {
      names.close();
      await receiver.close();
    },
  };
}
