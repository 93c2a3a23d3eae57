import { Type, elements } from '../bson/raw.ts';
import { CommandError } from '../protocol/errors.ts';
import { interrupt } from '../protocol/operation.ts';
import { killCursor } from './cursors.ts';
import { VERSION } from './hello.ts';
import { type CommandHandler, type Request, fieldsOf } from './request.ts';
import { idText } from './sessions.ts';

export const ping: CommandHandler = { fields: [], run: () => ({}) };

export const buildInfo: CommandHandler = {
  fields: [],
  run: () => ({
    version: VERSION,
    versionArray: [...VERSION.split('.').map(Number), 0],
    gitVersion: 'postroom-embedded',
    modules: ['postroom-embedded'],
    storageEngines: ['postroom'],
    bits: 64,
    debug: false,
    maxBsonObjectSize: 16 * 1024 * 1024,
  }),
};

function sessionIds(request: Request): string[] {
  const list = request.fields.get(request.name);
  if (list?.type !== Type.array) throw new CommandError(14, `${request.name} needs an array`);
  return elements(list.buf, list.start).flatMap(({ value }) => {
    const id = value.type === Type.object ? fieldsOf(value).get('id') : undefined;
    return id ? [idText(id)] : [];
  });
}

/** Ends sessions with everything that runs or is open in them. */
export const endSessions: CommandHandler = {
  fields: [],
  run(request) {
    const ended = new Set(sessionIds(request));
    const { sessions, cursors, operations } = request.state;
    for (const id of ended) sessions.delete(id);
    for (const [id, cursor] of cursors) if (cursor.session && ended.has(cursor.session)) killCursor(cursors, id);
    for (const operation of operations.values()) {
      if (operation !== request.operation && operation.session && ended.has(operation.session)) {
        interrupt(operation, new CommandError(11601, 'operation was interrupted'));
      }
    }
    return {};
  },
};
