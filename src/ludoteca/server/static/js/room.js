/** The page of a room: it shows the frames of the room, and sends the player's actions. */

import { named } from "./answers.js";
import { GAMES, url } from "./assets.js";
import { Board } from "./board.js";
import { ClockFaces } from "./clock.js";
import { Controls } from "./controls.js";
import { confirm } from "./dialogs.js";
import { byId, h } from "./dom.js";
import { Ending } from "./ending.js";
import { invitationLink, isInvited, knownNote, resumeTaking, roomTools, showUnkept } from "./invite.js";
import { findGame, listGames } from "./games.js";
import { forgetSeat, keepSeat, keepToken, keptSeats, keptToken } from "./keep.js";
import { Log } from "./log.js";
import { loadLook } from "./look.js";
import { Looking } from "./looking.js";
import { after, isMine, isOver, isWaiting, markedScene } from "./model.js";
import { Notice, OUTDATED } from "./notice.js";
import { Phrases } from "./phrases.js";
import { Planning } from "./plan.js";
import { Plates, seatNames } from "./plates.js";
import { fillBar } from "./prefs.js";
import { showProgress } from "./progress.js";
import { Replay } from "./replay.js";
import { Signals, sound, soundButton } from "./signals.js";
import { Connection } from "./socket.js";
import { hideNames, isWithStrangers, lookingFor } from "./strangers.js";
import { Talk } from "./talk.js";
import { Touching } from "./touch.js";
import { cutShort, isCutShort, standOf, verdict } from "./verdict.js";
import { loadWords, nameSeats, say } from "./words.js";
import { fillZoom } from "./zoom.js";

/**
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {import("./frames.js").Scene} Scene
 * @typedef {import("./frames.js").Choice} Choice
 * @typedef {import("./frames.js").Refused} Refused
 * @typedef {import("./frames.js").Play} Play
 * @typedef {import("./frames.js").Write} Write
 * @typedef {import("./frames.js").Resign} Resign
 * @typedef {import("./frames.js").Message} Message
 */

const BANNERS = { connecting: "", open: "", silent: "banner.waiting", waiting: "banner.waiting", closed: "banner.closed" };

/** Refusals after which a kept link is of no use. */
const DEAD_LINKS = ["room", "token", "deleted"];

/** Refusals whose reason is that a player is there or away. */
const ABOUT_PLAYERS = ["away", "present"];

/** Milliseconds after which the page says that it is still sending a move. */
const SLOW = 400;

class RoomPage {
  /** @param {string} id @param {string | null} token */
  constructor(id, token) {
    this.id = id;
    this.token = token;
    /** @type {Whole | null} */
    this.room = null;
    /** @type {Refused | null} the last refusal without a request: the reason why the connection is closed */
    this.refused = null;
    /** @type {boolean | null} true if the tools offer to delete the room */
    this.deletable = null;
    /** @type {import("./frames.js").Item[]} items that are shown for a moment after the last event */
    this.meanwhile = [];
    /** @type {import("./frames.js").Yours | null} what the next event changes for this seat alone */
    this.yours = null;
    /** @type {Whole | null} the room with the choices of `touching` */
    this.offered = null;
    /** @type {Message | null} the effects of the previewed choice, in words */
    this.foretold = null;
    this.touching = new Touching();
    /** The last data of the seat that the browser has kept, as JSON. The page writes all kept data each time. */
    this.kept = "";
    /** The time at which the page sent the last move, in milliseconds. */
    this.sent = 0;
    this.log = new Log(byId("log"), byId("latest"), (ply) => this.replay.go(ply));
    this.looking = new Looking(this);
    this.replay = new Replay(byId("replay"), (ply, player) => this.looking.go(ply, player), () => this.looking.asking || this.isMoving());
    this.clocks = new ClockFaces((player) => player === this.room?.you && sound("time"));
    this.signals = new Signals();
    /** @type {Whole | null} the room as the last signals saw it */
    this.signalled = null;
    this.controls = new Controls(byId("controls"), /** @type {HTMLFormElement} */ (byId("write")), this);
    this.plates = new Plates(byId("standing"), (frame) => this.ask(frame), () => this.showPosition(true));
    this.ending = new Ending(byId("ending"), this);
    this.talk = new Talk((frame) => this.connection.send(frame));
    this.planning = new Planning(this);
    this.phrases = new Phrases(this);
    this.notice = new Notice(this);
    /** @type {Board | null} */
    this.board = null;
    /** @type {import("./games.js").Game | null} */
    this.game = null;
    /** True in the player's first room of this game. */
    this.isFirstGame = false;
    this.connection = new Connection(id, token, (frame) => this.hear(frame), (status) => this.connected(status));
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("names", () => this.connection.hello());
  }

  // from the room

  /** @param {import("./socket.js").Status} status */
  connected(status) {
    const banner = byId("banner");
    const text = BANNERS[status];
    if (status === "waiting") this.talk.broken = true;
    if (text) banner.replaceChildren(h("span", { say: (status === "closed" && this.refused?.message) || [text] }));
    if (text || status === "open") banner.hidden = !text;
    if (status === "closed") this.shut(banner);
  }

  /** Show that there is no such room, that the secret opens no seat, or that the room cannot be opened. @param {HTMLElement} banner */
  shut(banner) {
    if (!this.refused || DEAD_LINKS.includes(this.refused.code)) {
      forgetSeat(this.id, this.token);
      this.notice.hide(); // the banner has the reason
      byId("tools").replaceChildren();
      byId("controls").replaceChildren();
    }
    document.body.classList.toggle("lone", this.room === null); // there is nothing else on the page
    banner.append(" ", h("a", { class: this.room ? "" : "button primary", say: ["banner.home"], set: { href: url("/") } }));
  }

  /** @param {any} frame */
  hear(frame) {
    if (frame.code === "reload") frame.message = OUTDATED;
    if (isWithStrangers(this.id)) hideNames(frame, frame.you ?? this.room?.you);
    if (frame.t === "room") this.whole(frame);
    else if (frame.t === "yours") this.yours = frame;
    else if (frame.t === "event") this.event(frame);
    else if (frame.t === "note") this.note(frame);
    else if (!this.talk.answer(frame) && frame.t === "error") this.refuse((this.refused = frame));
  }

  /** @param {Whole} room */
  whole(room) {
    const first = this.room === null;
    this.room = room;
    byId("weaker").hidden = true; // if compilation is not finished, a note with its progress follows
    this.keep(room);
    if (first) this.prepare(room);
    else this.show();
    this.talk.resume(room);
  }

  /** @param {Whole} room */
  async prepare(room) {
    const [game] = await Promise.all([findGame(room.game), loadWords(room.game), loadLook(room.game)]);
    this.game = game;
    this.isFirstGame = room.you >= 0 && game.lesson && keptSeats().filter((kept) => kept.game === room.game).length <= 1;
    const learn = h("a", { say: ["learn"], set: { href: url(`/learn/${room.game}`) } });
    byId("first").replaceChildren(h("span", { say: ["learn.first", game.title] }), " ", learn);
    this.board = new Board(/** @type {any} */ (byId("board")), room.game, {
      play: (choice) => this.play(choice),
      why: (touched) => this.why(touched),
      changed: () => this.touched(),
      ahead: (id) => this.planning.begin(id),
      preview: (choice, answered) => this.preview(choice, answered),
      foretell: (shown) => this.foretell(shown),
    });
    this.board.atOnce = game.sends_at_once;
    this.board.painter.flights.landed = () => this.showPosition(true);
    this.planning.known = game.plans;
    this.phrases.offered = game.phrases;
    this.ending.films = game.animated_pictures;
    this.replay.alike = game.all_see_the_same;
    fillZoom(byId("zoom"), byId("frame"), this.board.svg);
    if (room.invitation && location.hash !== `#${this.token}`) history.replaceState(null, "", invitationLink(room));
    byId("known").replaceChildren(knownNote(room.known) ?? "");
    byId("title").textContent = game.title;
    byId("room").hidden = false;
    this.show(false);
    resumeTaking(room);
  }

  /** @param {import("./frames.js").RoomEvent} event */
  event(event) {
    if (!this.room) return;
    const next = after(this.room, event, this.yours);
    if (!next) return this.connection.hello();
    this.room = next;
    this.meanwhile = event.change?.meanwhile ?? [];
    this.show();
  }

  /** @param {import("./frames.js").Note} note */
  note(note) {
    if (!this.room) return;
    if (note.kind === "said") return this.phrases.hear(note.player ?? 0, note.number ?? 0);
    if (note.kind === "unstored") return this.notice.tell(["unstored"], "event");
    if (note.seats) this.room = { ...this.room, seats: note.seats, clocks: note.clocks ?? this.room.clocks };
    if (note.number !== undefined) return this.showSpectators((this.room = { ...this.room, spectators: note.number }));
    if (note.percent === 100) return void (byId("weaker").hidden = true);
    if (note.percent !== undefined) return showProgress(byId("weaker"), ["turn.weaker", note.percent], note.percent);
    if (note.player !== undefined) this.controls.doing = { player: note.player, what: note.kind, n: this.room.position_n };
    this.show();
  }

  /** Keep the secret of the seat and the state of the game for the lobby. @param {Whole} room */
  keep(room) {
    if (!this.token || room.you < 0) return;
    const others = seatNames(room.seats, room.over?.reason === "record").filter((_, player) => player !== room.you);
    /** @type {Omit<import("./keep.js").Kept, "since">} */
    const seat = { room: this.id, token: this.token, seat: room.you, game: room.game, seen: { others, state: standOf(room) } };
    if (JSON.stringify(seat) === this.kept) return;
    this.kept = JSON.stringify(seat);
    if (!keepSeat(seat)) showUnkept(byId("unkept"), this.id, this.token);
  }

  // on the page

  /** Bring the page up to date. @param {boolean} [moving] */
  show(moving = true) {
    const { room, board } = this;
    if (!room || !board) return;
    this.notice.update(room);
    nameSeats(seatNames(room.seats, room.over?.reason === "record"));
    if (room.choices !== this.offered?.choices) this.offer(room);
    this.replay.update(room);
    if (isOver(room)) board.release();
    this.showPosition(moving);
    this.planning.update();
    this.keep(room);
    if (this.deletable !== room.may_delete) roomTools(byId("tools"), room, this.token, (reason) => this.notice.tell(reason));
    this.deletable = room.may_delete;
    this.log.show(room);
    this.log.mark(this.replay.shown());
    this.ending.show(room);
    this.title(room);
    this.signals.tell(this.signalled, room, this.game?.title ?? "");
    this.signalled = room;
  }

  /** Let the player choose. If the same position comes again after a lost connection, the touched items stay. @param {Whole} room */
  offer(room) {
    const before = this.offered;
    this.offered = room;
    const again = before?.ply === room.ply;
    if (again && JSON.stringify(before.choices) === JSON.stringify(room.choices)) return;
    const { touched } = this.touching;
    this.touching = new Touching(room.choices, room.give_up);
    if (again) for (const id of touched) this.touching.toggle(id);
  }

  /** @param {boolean} moving */
  showPosition(moving) {
    const { room, board } = this;
    if (!room || !board) return;
    const scene = (!this.isLive() && this.looking.scene) || room.scene;
    const { open, kept } = this.planning;
    const shown = open && this.isLive() ? open.scene : scene;
    const [ply, seat] = [this.isLive() ? room.ply : this.replay.shown(), isOver(room) ? this.replay.eyes : room.you];
    board.show(markedScene(room, shown, ply, seat), this.touchable(), moving, shown === room.scene ? this.meanwhile : [], room.ply === 0);
    board.svg.classList.toggle("mine", isMine(room) && !this.isIdle());
    board.svg.classList.toggle("ahead", shown !== scene);
    if (kept) board.expect(this.isLive() ? kept.choice.touches : []);
    board.compare(this.isLive() ? undefined : this.ending.mistakes?.here());
    say(board.svg, scene.task, room.game, "aria-label");
    this.showStandings(room, scene);
    this.showSpectators(room);
    this.showTask(room, scene);
    if (!this.ending.built) this.ending.show(room);
    byId("known").hidden = isWaiting(room); // the invitation has the same note
    byId("lounge").hidden = !isWaiting(room);
    byId("first").hidden = !this.isFirstGame || isWaiting(room) || isOver(room) || room.ply > room.seats.length;
    this.showControls();
  }

  /** @param {Whole} room @param {Scene} scene */
  showTask(room, scene) {
    if (this.isEnding()) return;
    const won = this.isLive() && room.over?.reason !== "unplayed" ? verdict(room) : ""; // the task says why nobody came to play
    say(byId("verdict"), won, room.game);
    byId("verdict").hidden = won === "";
    const place = say(byId("task"), this.foretold ?? this.task(room, scene), room.game);
    place.classList.toggle("foretold", this.foretold !== null);
    place.classList.toggle("others", !isMine(room) && !isOver(room) && !this.planning.task());
    byId("status").classList.toggle("mine", isMine(room));
  }

  /** True while pieces fly. */
  isMoving() {
    return this.board?.painter.flights.moving ?? false;
  }

  /** True while the last pieces of the game fly. The result is shown after that. */
  isEnding() {
    return this.room?.over != null && !this.ending.built && this.isLive() && this.isMoving();
  }

  /** True while no item can be touched: the page shows an earlier position, or sends a move. */
  isIdle() {
    return !this.isLive() || this.talk.isMoving();
  }

  /** Return the choices that can be touched now. */
  touchable() {
    return this.isIdle() ? new Touching() : this.planning.open?.touching ?? this.touching;
  }

  isLive() {
    if (!this.room || !isOver(this.room)) return this.replay.isLive();
    return this.replay.shown() === this.room.ply && this.replay.eyes === this.room.you;
  }

  /** @param {Whole} room @param {Scene} scene @returns {Message} */
  task(room, scene) {
    if (!this.isLive()) return this.ending.told() ?? ["task.past", this.replay.shown(), room.ply];
    if (isWaiting(room)) return [lookingFor(room) === null ? "task.waiting" : "find.looking"];
    if (room.over && isCutShort(room.over)) return cutShort(room.over);
    if (this.talk.isMoving() && performance.now() - this.sent >= SLOW) return ["task.sending"];
    return isMine(room) || isOver(room) ? scene.task : this.planning.task() ?? this.controls.waiting(room);
  }

  /** @param {Whole} room @param {Scene} scene */
  showStandings(room, scene) {
    const shown = this.isLive() ? room : { ...room, over: null }; // an earlier position has no winner
    const faces = this.plates.show(shown, scene.standings, this.isMoving());
    this.clocks.attach(faces);
    this.clocks.set(room.clocks, room.mover);
  }

  /** @param {Whole} room */
  showSpectators({ spectators }) {
    const place = byId("spectators");
    place.hidden = spectators === 0;
    say(place, ["room.spectators", spectators]);
  }

  showControls() {
    if (this.room) this.controls.show(this.room, this.touchable());
  }

  /** @param {Whole} room */
  title(room) {
    const title = /** @type {HTMLTitleElement} */ (document.querySelector("title"));
    const name = this.game?.title ?? "";
    say(title, isMine(room) ? ["title.turn", name] : `${name} · Ludoteca`);
  }

  // the player's actions

  /** Update the page after a touch, or after a touch was taken back. */
  touched() {
    this.notice.hide();
    this.showControls();
  }

  /** @param {Choice} choice */
  play(choice) {
    if (this.planning.open) return this.planning.keep(choice);
    const send = () => this.move({ t: "play", action: choice.action }, choice.touches);
    if (this.room && choice.action === this.room.give_up) this.askResign(send);
    else send();
  }

  /** @param {string} text a move in notation */
  write(text) {
    this.move({ t: "write", text });
  }

  resign() {
    this.askResign(() => this.move({ t: "resign" }));
  }

  /** @param {() => void} done */
  askResign(done) {
    const { seats = [], you } = this.room ?? {};
    const isUnplayed = seats.some((seat) => seat.awaited) && seats.every((seat, at) => at === you || seat.awaited || seat.kind !== "person");
    confirm(["resign.title"], [isUnplayed ? "ending.reason.unplayed" : "resign.text"], ["resign.yes"], done);
  }

  /**
   * @param {Omit<Play, "n"> | Omit<Write, "n"> | Omit<Resign, "n">} frame
   * @param {string[]} touches the items that show that the move is under way
   */
  move(frame, touches = []) {
    if (!this.room || this.talk.isMoving()) return;
    this.notice.hide();
    this.sent = performance.now();
    this.board?.expect(touches);
    setTimeout(() => this.talk.isMoving() && this.showPosition(false), SLOW);
    const moved = () => this.moved();
    this.talk.ask({ ...frame, n: this.room.position_n }, { answered: moved, late: moved, refused: (refused) => this.refuse(refused) });
    this.showPosition(true);
  }

  /** Update the page after a move was played, or after it came too late. */
  moved() {
    this.board?.expect([]);
    this.showPosition(true);
  }

  /** @param {Refused} refused */
  refuse(refused) {
    this.board?.expect([]);
    this.board?.painter.settle();
    this.touching.clear();
    this.notice.tell(refused.message, ABOUT_PLAYERS.includes(refused.code) ? "players" : "position");
    if (refused.code === "stale") this.connection.hello();
    this.showPosition(false);
  }

  /** @param {string[]} touched */
  why(touched) {
    if (!this.room) return;
    const refused = (/** @type {Refused} */ answer) => {
      const turned = answer.code === "nothing" && this.touching.touched.size > 0;
      if (!turned) this.notice.tell(answer.message);
    };
    this.talk.ask({ t: "why", n: this.room.position_n, touched }, { refused });
  }

  /** Ask for the effects of a choice. @param {Choice} choice @param {(shown: import("./frames.js").Previewed) => void} answered */
  preview(choice, answered) {
    const { room } = this;
    if (!room || this.talk.isMoving()) return;
    const shown = (/** @type {import("./frames.js").Previewed} */ frame) => frame.n === this.room?.position_n && answered(frame);
    this.talk.ask({ t: "preview", n: room.position_n, action: choice.action }, { answered: shown });
  }

  /** Show the effects of a choice, or the task again. @param {import("./frames.js").Previewed | null} shown */
  foretell(shown) {
    this.foretold = shown?.told ?? null;
    if (this.room && this.board) this.showTask(this.room, this.room.scene);
  }

  /** Ask for an agent's advice. */
  hint() {
    if (!this.room) return;
    const answered = (/** @type {import("./frames.js").Hinted} */ hinted) => this.controls.showHint(hinted);
    const late = () => {
      this.controls.asking = false;
      this.showControls();
    };
    const refused = (/** @type {Refused} */ answer) => {
      late();
      this.refuse(answer);
    };
    this.controls.asking = true;
    this.talk.ask({ t: "hint", n: this.room.position_n }, { answered, late, refused });
    this.showControls();
  }

  /** @param {import("./frames.js").Request} frame whose answer is only `done` */
  ask(frame) {
    this.notice.hide();
    this.talk.ask(frame, { refused: (refused) => this.refuse(refused) });
  }

  /** Handle the keys that have a meaning everywhere on the page. @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (target.closest("dialog")) return;
    if (event.key === "Escape") return this.touchable().isEmpty() ? this.planning.stop() : this.board?.clear();
    if (target.closest("input, select, textarea") || (event.key === "Enter" && target.closest("button, a, summary"))) return;
    if (event.key === "ArrowLeft") this.replay.step(-1);
    else if (event.key === "ArrowRight") this.replay.step(1);
    else if (event.key === "Enter") this.board?.send();
    else if (this.ending.mistakes?.key(event.key)) this.board?.release();
    else return;
    event.preventDefault();
  }
}

function start() {
  const id = named();
  const link = location.hash.slice(1);
  if (link && !isInvited()) {
    // players send the address to friends, so it has no secret, unless nothing else keeps the secret
    if (keepToken(id, link)) history.replaceState(null, "", location.pathname + location.search);
  }
  fillBar();
  byId("prefs").prepend(soundButton());
  window.addEventListener("hashchange", () => location.reload());
  return new RoomPage(id, keptToken(id));
}

// the room may answer before these files have come, and `prepare` waits for them
const coming = Promise.all([listGames(), loadWords(...GAMES), ...GAMES.map(loadLook)]);
export const page = start();
await coming;
