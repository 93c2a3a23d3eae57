import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { createUnreadAnswers } from './unread-answers.ts';

const socketWith = (writableLength: number, destroyed = false) => ({ writableLength, destroyed }) as Socket;
const responseWith = (writableLength: number, socket: Socket | null = null) =>
  ({ writableLength, socket }) as ServerResponse;

it('counts what is on the socket and what waits behind it, as long as it waits', () => {
  const answers = createUnreadAnswers();
  const socket = socketWith(10);
  const [current, next] = [responseWith(10, socket), responseWith(20)];
  answers.owes(socket, current);
  answers.owes(socket, next);
  expect(answers.of(socket)).toBe(30);
  Object.assign(next, { socket });
  expect(answers.of(socket)).toBe(10);
});

it('keeps nothing of a connection that is gone', () => {
  const answers = createUnreadAnswers();
  const gone = socketWith(0, true);
  answers.owes(gone, responseWith(20));
  expect(answers.of(gone)).toBe(0);
});
