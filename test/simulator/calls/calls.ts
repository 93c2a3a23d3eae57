import { storeSetting } from '../arriving/setting.ts';
import { type ClientCall, drawCalls, openClients, serveKeys } from '../peers/clients.ts';
import { scriptedModel } from '../peers/model.ts';
import { openGateway } from '../pods/gateway.ts';
import { openLabelRule } from '../pods/label-rule.ts';
import { keepPods, stallBehindWrites } from '../pods/pods.ts';
import { endFaultsLater, findAll, playToEnd, type Promises, type Workload } from '../workload.ts';
import { createBroker } from '../world/broker.ts';
import { createNetwork } from '../world/rpc.ts';
import { useVirtualTimers } from '../world/virtual-timers.ts';
import { createWeb } from '../world/web.ts';

interface Outcome {
  /** Of each key. */
  keyed: readonly (readonly ClientCall[])[];
  rules: readonly { _id: string; conditionValue: string }[];
  calmAt: number;
}

/** A call that died keeps its key for so long. */
const LONGEST_KEPT_MS = 30_000;
/** From then on a client asks again, and its call takes this time at the most. */
const LONGEST_CALL_MS = 15_000;

const promises: Promises<Outcome> = {
  'P2 a call under a key makes one thing, and everybody is told the same': ({ keyed, rules }) =>
    keyed.flatMap((own) => {
      const bodies = new Set(own.flatMap(({ answer }) => (answer?.status === 201 ? answer.body : [])));
      return [
        ...(bodies.size > 1 ? [`one key was answered in ${bodies.size} ways: ${[...bodies].join(' ')}`] : []),
        ...[...new Set(own.map(({ words }) => words))].flatMap((words) => {
          const made = rules.filter(({ conditionValue }) => conditionValue === words);
          const isTold = own.some((call) => call.words === words && call.answer?.status === 201);
          const isWrong = made.length > 1 || (isTold && made.length === 0);
          return isWrong ? [`"${words}" was made ${made.length} times`] : [];
        }),
      ];
    }),
  'P2 one of the calls under a key succeeds': ({ keyed }) =>
    keyed.flatMap((own) =>
      own.some(({ answer }) => answer?.status === 201) ? [] : [`nothing became of "${own[0]?.key}"`],
    ),
  'P3 no key stays with a call that died': ({ keyed, calmAt }) =>
    keyed.flat().flatMap(({ words, answer, afterMs }) => {
      const latest = calmAt + afterMs + LONGEST_KEPT_MS + LONGEST_CALL_MS;
      if (!answer) return [`"${words}" is not answered`];
      return answer.at > latest ? [`"${words}" was answered ${(answer.at - latest) / 1_000} s too late`] : [];
    }),
};

/** Clients repeat calls under their keys, several at once, over two gateways. */
export const calls: Workload = async (world, count) => {
  await storeSetting(world.database);
  const [broker, network, web] = [createBroker(world), createNetwork(), createWeb()];
  const realTimers = useVirtualTimers(world.scheduler);
  try {
    stallBehindWrites(world);
    serveKeys(world, network);
    const services = { gateway: openGateway(web), 'label-rule': openLabelRule };
    keepPods(world, services, { broker, network, modelOf: scriptedModel() });
    const keyed = drawCalls(world.chance, count);
    openClients(world, web, keyed.flat());
    const calmAt = endFaultsLater(world);
    return await playToEnd(world, calmAt, promises, async () => ({
      keyed,
      rules: await findAll<Outcome['rules'][number]>(world, 'autoForwardRules', { conditionValue: 1 }),
      calmAt,
    }));
  } finally {
    realTimers();
  }
};
