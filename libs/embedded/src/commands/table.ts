import { aggregate } from './aggregate.ts';
import { countCommand } from './count.ts';
import { del } from './delete.ts';
import { explain } from './explain.ts';
import { configureFailPoint } from './fail-point.ts';
import { find, getMore, killCursors } from './find.ts';
import { findAndModify } from './find-and-modify.ts';
import { hello } from './hello.ts';
import { createIndexes, dropIndexes, listIndexes } from './indexes.ts';
import { insert } from './insert.ts';
import { create, drop, dropDatabase, listCollections, listDatabases } from './namespaces.ts';
import { currentOp, getParameter, killOp, serverStatus, setParameter } from './operations.ts';
import type { CommandHandler } from './request.ts';
import { buildInfo, endSessions, ping } from './server.ts';
import { update } from './update.ts';

/** The closed list of commands. A new one is a file beside this and a line here. */
export const commandTable: Record<string, CommandHandler> = {
  aggregate,
  buildInfo,
  buildinfo: buildInfo,
  configureFailPoint,
  count: countCommand,
  create,
  createIndexes,
  currentOp,
  delete: del,
  drop,
  dropDatabase,
  dropIndexes,
  endSessions,
  explain,
  find,
  findAndModify,
  findandmodify: findAndModify,
  getMore,
  getParameter,
  hello,
  insert,
  isMaster: hello,
  ismaster: hello,
  killCursors,
  killOp,
  killSessions: endSessions,
  listCollections,
  listDatabases,
  listIndexes,
  ping,
  serverStatus,
  setParameter,
  update,
};
