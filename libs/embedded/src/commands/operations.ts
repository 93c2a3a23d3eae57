import { Long } from 'bson';
import { missing } from '../bson/raw.ts';
import { toNumber } from '../bson/value.ts';
import { CommandError } from '../protocol/errors.ts';
import { interrupt } from '../protocol/operation.ts';
import { VERSION } from './hello.ts';
import type { CommandHandler, Request } from './request.ts';

function running(request: Request): Record<string, unknown>[] {
  return [...request.state.operations.values()].map((operation) => {
    const micros = Math.round((performance.now() - operation.startedAt) * 1000);
    return {
      type: 'op',
      active: true,
      opid: operation.id,
      connectionId: operation.connection,
      op: 'command',
      ns: operation.namespace,
      command: { [operation.command]: 1 },
      secs_running: Math.floor(micros / 1e6),
      microsecs_running: Long.fromNumber(micros),
      docsExamined: operation.docsExamined,
      keysExamined: operation.keysExamined,
    };
  });
}

export const currentOp: CommandHandler = {
  fields: ['$all', '$ownOps'],
  run: (request) => ({ inprog: running(request) }),
};

export const killOp: CommandHandler = {
  fields: ['op'],
  run({ state, fields }) {
    const operation = state.operations.get(toNumber(fields.get('op') ?? missing));
    if (operation) interrupt(operation, new CommandError(11601, 'operation was interrupted'));
    return { info: 'attempting to kill op' };
  },
};

export const serverStatus: CommandHandler = {
  fields: [],
  run({ state }) {
    const memory = process.memoryUsage();
    const uptime = (Date.now() - state.startedAt) / 1000;
    return {
      host: state.address,
      version: VERSION,
      process: 'postroom-embedded',
      pid: Long.fromNumber(process.pid),
      uptime,
      localTime: new Date(),
      mem: { bits: 64, resident: Math.round(memory.rss / 2 ** 20), virtual: 0 },
      metrics: { cursor: { open: { total: Long.fromNumber(state.cursors.size) } } },
      logicalSessionRecordCache: { activeSessionsCount: state.sessions.size },
    };
  },
};

export const getParameter: CommandHandler = {
  fields: ['featureCompatibilityVersion', 'ttlMonitorSleepSecs'],
  run({ state, fields }) {
    const known: Record<string, unknown> = {
      featureCompatibilityVersion: { version: VERSION.slice(0, 3) },
      ttlMonitorSleepSecs: state.settings.ttlMonitorSleepSecs,
    };
    const asked = Object.keys(known).filter((name) => fields.has(name));
    if (asked.length === 0) throw new CommandError(72, 'no option found to get');
    return Object.fromEntries(asked.map((name) => [name, known[name]]));
  },
};

export const setParameter: CommandHandler = {
  fields: ['ttlMonitorSleepSecs'],
  run({ state, fields }) {
    const seconds = toNumber(fields.get('ttlMonitorSleepSecs') ?? missing);
    if (!(seconds > 0)) throw new CommandError(2, 'ttlMonitorSleepSecs must be greater than 0');
    const was = state.settings.ttlMonitorSleepSecs;
    state.settings.ttlMonitorSleepSecs = seconds;
    return { was };
  },
};
