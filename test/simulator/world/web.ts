import { onDeath, type Process, within } from './process.ts';

export interface WebRequest {
  method: string;
  /** The template of a route without parameters. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface WebAnswer {
  status: number;
  body: string;
  headers: Readonly<Record<string, string>>;
}

type Answering = (request: WebRequest) => Promise<WebAnswer>;

/** Calls of clients to the pods of the gateway, each over a connection of its own. */
export interface Web {
  serve(pod: Process, answering: Answering): void;
  /** Throws where no answer comes. */
  call(from: Process, request: WebRequest): Promise<WebAnswer>;
}

/** A client waits for so long. */
const LONGEST_MS = 15_000;

export function createWeb(): Web {
  const pods: { pod: Process; answering: Answering }[] = [];
  return {
    serve: (pod, answering) => {
      const one = { pod, answering };
      pods.push(one);
      pod.onDeath.push(() => void pods.splice(pods.indexOf(one), 1));
    },
    call: (from, request) =>
      new Promise((resolve, reject) => {
        const { world } = from;
        const { faults, trace, chance } = world;
        const name = `${request.method} ${request.path}`;
        const cancel = world.after(LONGEST_MS, from, () => reject(new Error('no answer')));
        const answer = (give: () => void) => {
          if (faults.strikes('lostAnswers')) return trace.say(from.name, `${name}: the answer is lost`);
          world.after(world.latency(), from, () => {
            cancel();
            give();
          });
        };
        if (faults.strikes('lostCalls')) return trace.say(from.name, `${name}: the call is lost`);
        world.after(world.latency(), from, () => {
          if (pods.length === 0) return reject(new Error('nobody is there'));
          const { pod, answering } = chance.pick(pods);
          trace.say(from.name, `asks ${name} of ${pod.name}`);
          const forget = onDeath(pod, () => answer(() => reject(new Error('the connection is lost'))));
          world.after(0, pod, () => {
            void within(pod, () => answering(request)).then((given) => {
              forget();
              answer(() => resolve(given));
            });
          });
        });
      }),
  };
}
