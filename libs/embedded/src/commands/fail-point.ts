import { Type } from '../bson/raw.ts';
import { decodePlain, documentOf, toText } from '../bson/value.ts';
import { CommandError, badValue, notSupported } from '../protocol/errors.ts';
import type { FailPoint } from '../server/state.ts';
import { type CommandHandler, type Reply, type Request, documentField } from './request.ts';

const known = new Set([
  'failCommands',
  'errorCode',
  'errorLabels',
  'closeConnection',
  'blockConnection',
  'blockTimeMS',
]);

function parseData(data: Record<string, unknown>, left: number): FailPoint {
  const unknown = Object.keys(data).find((name) => !known.has(name));
  if (unknown) throw notSupported(`the fail point option '${unknown}'`);
  return {
    left,
    commands: new Set(data['failCommands'] as string[]),
    errorCode: data['errorCode'] as number | undefined,
    errorLabels: (data['errorLabels'] as string[] | undefined) ?? [],
    closeConnection: data['closeConnection'] === true,
    blockTimeMS: data['blockConnection'] === true ? Number(data['blockTimeMS']) : 0,
  };
}

function timesOf(mode: unknown): number {
  if (mode === 'alwaysOn') return Infinity;
  const times = (mode as { times?: number } | null)?.times;
  if (typeof times !== 'number') throw badValue("the mode of a fail point is 'off', 'alwaysOn' or { times }");
  return times;
}

export const configureFailPoint: CommandHandler = {
  fields: ['mode', 'data'],
  run(request) {
    const name = request.fields.get('configureFailPoint');
    if (!name || toText(name) !== 'failCommand') throw new CommandError(72, 'the only fail point is failCommand');
    const given = request.fields.get('mode');
    const mode = given && (given.type === Type.object ? decodePlain(documentOf(given)) : toText(given));
    const data = documentField(request.fields, 'data');
    request.state.failPoint = mode === 'off' ? undefined : parseData(data ? decodePlain(data) : {}, timesOf(mode));
    return {};
  },
};

/** Applies the fail point: the command runs (undefined), gets an error reply, or loses its connection (`close`). */
export async function applyFailPoint({ state, name }: Request): Promise<Reply | 'close' | undefined> {
  const point = state.failPoint;
  if (!point || point.left <= 0 || !point.commands.has(name)) return undefined;
  point.left -= 1;
  if (point.blockTimeMS > 0) await new Promise((resolve) => void setTimeout(resolve, point.blockTimeMS));
  if (point.closeConnection) return 'close';
  if (point.errorCode === undefined) return undefined;
  const { code, codeName } = new CommandError(point.errorCode, '');
  const errmsg = "Failing command via 'failCommand' failpoint";
  return { ok: 0, errmsg, code, codeName, ...(point.errorLabels.length > 0 ? { errorLabels: point.errorLabels } : {}) };
}
