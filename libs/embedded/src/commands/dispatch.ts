import { replyOf } from './reply.ts';
import { type RawValue, Type, assertWellFormed, elements } from '../bson/raw.ts';
import { toNumber, toText } from '../bson/value.ts';
import { CommandError } from '../protocol/errors.ts';
import { type Operation, assertMayGoOn, createOperation } from '../protocol/operation.ts';
import type { ServerState } from '../server/state.ts';
import { applyFailPoint } from './fail-point.ts';
import {
  type CommandHandler,
  type ParsedCommand,
  type Request,
  assertKnownFields,
  countField,
  fieldsOf,
  readFlagField,
} from './request.ts';
import { sessionIdOf } from './sessions.ts';
import { commandTable } from './table.ts';

function beginOperation(state: ServerState, connection: number): Operation {
  const operation = createOperation(state.nextOperation, connection);
  state.nextOperation += 1;
  state.operations.set(operation.id, operation);
  return operation;
}

function parseRequest(
  state: ServerState,
  message: ParsedCommand,
  connection: Request['connection'],
  operation: Operation,
): Request {
  assertWellFormed(message.body);
  const found = elements(message.body);
  const fields = new Map(found.map((element) => [element.name, element.value]));
  const database = fields.get('$db');
  const request: Request = {
    name: found[0]?.name ?? '',
    database: (database && toText(database)) ?? 'admin',
    fields,
    sequences: message.sequences,
    state,
    operation,
    connection,
  };
  operation.command = request.name;
  operation.session = sessionIdOf(request);
  const limit = countField(fields, 'maxTimeMS');
  // For getMore the field speaks of waiting for new documents; its time is what the cursor has left.
  if (limit && request.name !== 'getMore') operation.deadline = operation.startedAt + limit;
  return request;
}

function findCommand(request: Request): CommandHandler {
  const command = commandTable[request.name];
  if (!command) throw new CommandError(59, `no such command: '${request.name}'`);
  const extra = [...request.sequences.keys()].find((name) => !command.fields.includes(name));
  if (extra !== undefined) throw new CommandError(40415, `BSON field '${request.name}.${extra}' is an unknown field.`);
  assertKnownFields(request, command);
  assertWriteConcern(request);
  return command;
}

const concernOf = (request: Request): Map<string, RawValue> => {
  const value = request.fields.get('writeConcern');
  return value?.type === Type.object ? fieldsOf(value) : new Map();
};

function assertWriteConcern(request: Request): void {
  const members = concernOf(request).get('w');
  if (members && toNumber(members) > 1) throw new CommandError(100, 'Not enough data-bearing nodes: the set has one');
}

/** Acknowledged means written: the answer waits for the journal, and for the disk when `j` asks for it. */
async function commit(request: Request): Promise<void> {
  await request.state.journal?.written(readFlagField(concernOf(request), 'j'));
}

/** Runs the command of a message. Every error becomes an answer; `close` means to close the connection instead. */
export async function dispatch(
  state: ServerState,
  message: ParsedCommand,
  connection: Request['connection'],
): Promise<Buffer | 'close'> {
  const operation = beginOperation(state, connection.id);
  try {
    const request = parseRequest(state, message, connection, operation);
    const command = findCommand(request);
    const failure = await applyFailPoint(request);
    if (failure === 'close') return 'close';
    if (failure) return replyOf(failure);
    assertMayGoOn(operation);
    const reply = await command.run(request);
    await commit(request);
    return replyOf(reply);
  } catch (error) {
    return replyOf(toErrorReply(error));
  } finally {
    state.operations.delete(operation.id);
  }
}

function toErrorReply(error: unknown): Record<string, unknown> {
  if (error instanceof CommandError) {
    return { ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName, ...error.extra };
  }
  if (error instanceof RangeError) return { ok: 0, errmsg: error.message, code: 22, codeName: 'InvalidBSON' };
  return { ok: 0, errmsg: `internal error: ${String(error)}`, code: 1, codeName: 'InternalError' };
}
