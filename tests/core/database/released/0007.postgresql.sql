--
-- PostgreSQL database dump
--

\restrict dBffqPG1XCgndK1PCDNrC4Cxi9UWcbFhrTzSOdD3axmI9gJnKBis2hAA9AcjoeI

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: calls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.calls (
    id bigint NOT NULL,
    run text,
    item text,
    made_at timestamp with time zone NOT NULL,
    skill text NOT NULL,
    role text NOT NULL,
    model text NOT NULL,
    outcome text NOT NULL,
    seconds double precision NOT NULL,
    input_tokens integer NOT NULL,
    output_tokens integer NOT NULL,
    cost double precision,
    cached boolean NOT NULL
);


--
-- Name: calls_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.calls_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: calls_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.calls_id_seq OWNED BY public.calls.id;


--
-- Name: changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.changes (
    run text NOT NULL,
    "position" integer NOT NULL,
    sink text NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    before json,
    after json NOT NULL,
    status text NOT NULL
);


--
-- Name: decisions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.decisions (
    run text NOT NULL,
    "position" integer NOT NULL,
    item text NOT NULL,
    action text NOT NULL,
    score double precision,
    body json NOT NULL
);


--
-- Name: file_states; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.file_states (
    sink text NOT NULL,
    path text NOT NULL,
    modified bigint NOT NULL,
    size bigint NOT NULL,
    stamp text NOT NULL
);


--
-- Name: findings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.findings (
    run text NOT NULL,
    "position" integer NOT NULL,
    ordinal integer NOT NULL,
    code text NOT NULL,
    severity text NOT NULL,
    message text NOT NULL,
    place json
);


--
-- Name: idempotency_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_keys (
    key text NOT NULL,
    fingerprint text NOT NULL,
    status integer NOT NULL,
    headers json NOT NULL,
    body text NOT NULL,
    kept_at timestamp with time zone NOT NULL
);


--
-- Name: items; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.items (
    run text NOT NULL,
    item text NOT NULL,
    settled_at timestamp with time zone NOT NULL
);


--
-- Name: jobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.jobs (
    id text NOT NULL,
    type text NOT NULL,
    request json NOT NULL,
    status text NOT NULL,
    run text,
    done integer NOT NULL,
    total integer NOT NULL,
    item text NOT NULL,
    result json,
    problem json,
    files json NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone
);


--
-- Name: ledger_version; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ledger_version (
    version_num character varying(32) NOT NULL
);


--
-- Name: published_versions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.published_versions (
    sink text NOT NULL,
    key text NOT NULL,
    fields json NOT NULL,
    published_at timestamp with time zone NOT NULL,
    about json DEFAULT '{}'::json NOT NULL
);


--
-- Name: question_reviews; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.question_reviews (
    run text NOT NULL,
    item text NOT NULL,
    revision integer NOT NULL,
    status text NOT NULL,
    pair json,
    history json NOT NULL,
    decided_at timestamp with time zone NOT NULL
);


--
-- Name: rate_limits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rate_limits (
    model text NOT NULL,
    next_start double precision NOT NULL
);


--
-- Name: reviews; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reviews (
    id text NOT NULL,
    run text NOT NULL,
    feature text NOT NULL,
    decision json NOT NULL,
    status text NOT NULL,
    answer json,
    comment text,
    opened_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone
);


--
-- Name: runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.runs (
    id text NOT NULL,
    feature text NOT NULL,
    arguments json NOT NULL,
    fingerprint text NOT NULL,
    status text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    note text
);


--
-- Name: songs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.songs (
    key text NOT NULL,
    song text NOT NULL,
    artist text NOT NULL,
    source text NOT NULL,
    vocabulary json NOT NULL,
    lyrics text,
    kept_at timestamp with time zone NOT NULL
);


--
-- Name: spending; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.spending (
    run text NOT NULL,
    calls integer NOT NULL,
    tokens bigint NOT NULL,
    cost double precision NOT NULL
);


--
-- Name: turns; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.turns (
    key text NOT NULL,
    skill text NOT NULL,
    model text NOT NULL,
    reply json NOT NULL,
    kept_at timestamp with time zone NOT NULL
);


--
-- Name: vectors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.vectors (
    embedder text NOT NULL,
    key text NOT NULL,
    vector bytea NOT NULL
);


--
-- Name: calls id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.calls ALTER COLUMN id SET DEFAULT nextval('public.calls_id_seq'::regclass);


--
-- Data for Name: calls; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.calls VALUES (1, '261103-142530-ded16', 'ospf.md', '2026-11-03 14:25:31+00', 'cards.map', 'cards.mapper', 'rules', 'answered', 0.25, 0, 0, 0, false);
INSERT INTO public.calls VALUES (2, '261103-142530-ded16', 'bgp.md', '2026-11-03 14:25:34+00', 'cards.map', 'cards.mapper', 'ollama:qwen3:14b', 'answered', 0.25, 120, 0, 0.01, false);


--
-- Data for Name: changes; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: decisions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.decisions VALUES ('261103-142530-ded16', 0, 'ospf.md', 'create', 0.75, '{"item":"ospf.md#1","action":"create","reasons":["It asks one thing."],"evidence":[{"passage":"p1","quote":"OSPF floods link states.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"proposal":{"front":"What does OSPF flood?","back":"Link states."},"proposal_schema":{"type":"object","properties":{"front":{"type":"string","minLength":3},"tags":{"type":"array","items":{"type":"string"}}},"required":["front"]},"change":null,"score":0.75}');
INSERT INTO public.decisions VALUES ('261103-142530-ded16', 1, 'ospf.md', 'manual_review', 0.75, '{"item":"ospf.md#2","action":"manual_review","reasons":["It asks one thing."],"evidence":[{"passage":"p1","quote":"OSPF floods link states.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"proposal":{"front":"What does OSPF flood?","back":"Link states."},"proposal_schema":{"type":"object","properties":{"front":{"type":"string","minLength":3},"tags":{"type":"array","items":{"type":"string"}}},"required":["front"]},"change":null,"score":0.75}');
INSERT INTO public.decisions VALUES ('261103-142530-ded16', 2, 'bgp.md', 'manual_review', 0.75, '{"item":"bgp.md#1","action":"manual_review","reasons":["It asks one thing."],"evidence":[{"passage":"p1","quote":"OSPF floods link states.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"proposal":{"front":"What does OSPF flood?","back":"Link states."},"proposal_schema":{"type":"object","properties":{"front":{"type":"string","minLength":3},"tags":{"type":"array","items":{"type":"string"}}},"required":["front"]},"change":null,"score":0.75}');


--
-- Data for Name: file_states; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: findings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.findings VALUES ('261103-142530-ded16', 0, 0, 'cloze.leak', 'warning', 'The answer stands in the question.', '{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}');
INSERT INTO public.findings VALUES ('261103-142530-ded16', 1, 0, 'cloze.leak', 'warning', 'The answer stands in the question.', '{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}');
INSERT INTO public.findings VALUES ('261103-142530-ded16', 2, 0, 'cloze.leak', 'warning', 'The answer stands in the question.', '{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}');


--
-- Data for Name: idempotency_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.idempotency_keys VALUES ('k1', 'f1', 201, '{}', '{}', '2026-11-03 14:25:38+00');


--
-- Data for Name: items; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.items VALUES ('261103-142530-ded16', 'ospf.md', '2026-11-03 14:25:31+00');
INSERT INTO public.items VALUES ('261103-142530-ded16', 'bgp.md', '2026-11-03 14:25:32+00');


--
-- Data for Name: jobs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.jobs VALUES ('261103-142537-a59s7', 'cards.sync', '{"vault":"notes"}', 'waiting', NULL, 0, 0, '', NULL, NULL, '[]', '2026-11-03 14:25:37+00', NULL);


--
-- Data for Name: ledger_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ledger_version VALUES ('0007');


--
-- Data for Name: published_versions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.published_versions VALUES ('anki', 'ospf.md#1', '{"Front":"What does OSPF flood?"}', '2026-11-03 14:25:35+00', '{}');


--
-- Data for Name: question_reviews; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: rate_limits; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rate_limits VALUES ('ollama:qwen3:14b', 1794812388.613973);


--
-- Data for Name: reviews; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.reviews VALUES ('14bb6039ad57', '261103-142530-ded16', 'cards', '{"item":"bgp.md#1","action":"manual_review","reasons":["It asks one thing."],"findings":[{"code":"cloze.leak","severity":"warning","message":"The answer stands in the question.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"evidence":[{"passage":"p1","quote":"OSPF floods link states.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"proposal":{"front":"What does OSPF flood?","back":"Link states."},"proposal_schema":{"type":"object","properties":{"front":{"type":"string","minLength":3},"tags":{"type":"array","items":{"type":"string"}}},"required":["front"]},"change":null,"score":0.75}', 'open', NULL, NULL, '2026-11-03 14:25:32+00', NULL);
INSERT INTO public.reviews VALUES ('09de4f663ebe', '261103-142530-ded16', 'cards', '{"item":"ospf.md#2","action":"manual_review","reasons":["It asks one thing."],"findings":[{"code":"cloze.leak","severity":"warning","message":"The answer stands in the question.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"evidence":[{"passage":"p1","quote":"OSPF floods link states.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"proposal":{"front":"What does OSPF flood?","back":"Link states."},"proposal_schema":{"type":"object","properties":{"front":{"type":"string","minLength":3},"tags":{"type":"array","items":{"type":"string"}}},"required":["front"]},"change":null,"score":0.75}', 'edited', '{"front":"What is flooded?"}', 'clearer', '2026-11-03 14:25:31+00', '2026-11-03 14:25:33+00');


--
-- Data for Name: runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.runs VALUES ('261103-142530-ded16', 'cards', '{"vault":"notes"}', '3c931b56590b7802a09fc0bda1fa21d73293ccf995dff0766a4267a87526a5dd', 'done', '2026-11-03 14:25:30+00', '2026-11-03 14:25:39+00', '2 notes');


--
-- Data for Name: songs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.songs VALUES ('s1', 'Yoru', 'Studium', 'pasted', '[{"kanji":"夜","romaji":"yoru","english":"night","parts":[],"reading":"","sung":"","part_of_speech":"other","meanings":[],"jlpt":null,"frequency":null,"pitch":null,"line":"","line_number":null,"count":1}]', NULL, '2026-11-03 14:25:36+00');


--
-- Data for Name: spending; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.spending VALUES ('261103-142530-ded16', 2, 120, 0.01);


--
-- Data for Name: turns; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.turns VALUES ('k1', 'cards.map', 'ollama:qwen3:14b', '{"content":"Link states"}', '2026-11-03 14:25:34+00');


--
-- Data for Name: vectors; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.vectors VALUES ('minilm', 'c1', '\x0001020304050607');


--
-- Name: calls_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.calls_id_seq', 2, true);


--
-- Name: published_versions bases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.published_versions
    ADD CONSTRAINT bases_pkey PRIMARY KEY (sink, key);


--
-- Name: calls calls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.calls
    ADD CONSTRAINT calls_pkey PRIMARY KEY (id);


--
-- Name: changes changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (run, "position");


--
-- Name: decisions decisions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT decisions_pkey PRIMARY KEY (run, "position");


--
-- Name: findings findings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.findings
    ADD CONSTRAINT findings_pkey PRIMARY KEY (run, "position", ordinal);


--
-- Name: items items_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.items
    ADD CONSTRAINT items_pkey PRIMARY KEY (run, item);


--
-- Name: ledger_version ledger_version_pkc; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger_version
    ADD CONSTRAINT ledger_version_pkc PRIMARY KEY (version_num);


--
-- Name: jobs orders_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);


--
-- Name: rate_limits paces_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT paces_pkey PRIMARY KEY (model);


--
-- Name: question_reviews question_reviews_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.question_reviews
    ADD CONSTRAINT question_reviews_pkey PRIMARY KEY (run, item);


--
-- Name: idempotency_keys replies_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT replies_pkey PRIMARY KEY (key);


--
-- Name: reviews reviews_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (id);


--
-- Name: runs runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (id);


--
-- Name: file_states seen_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.file_states
    ADD CONSTRAINT seen_pkey PRIMARY KEY (sink, path);


--
-- Name: songs songs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.songs
    ADD CONSTRAINT songs_pkey PRIMARY KEY (key);


--
-- Name: spending spending_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.spending
    ADD CONSTRAINT spending_pkey PRIMARY KEY (run);


--
-- Name: turns turns_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (key);


--
-- Name: vectors vectors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.vectors
    ADD CONSTRAINT vectors_pkey PRIMARY KEY (embedder, key);


--
-- Name: ix_calls_run; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_calls_run ON public.calls USING btree (run);


--
-- Name: ix_changes_sink_status; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_changes_sink_status ON public.changes USING btree (sink, status);


--
-- Name: ix_jobs_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_jobs_created_at ON public.jobs USING btree (created_at);


--
-- Name: ix_jobs_status; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_jobs_status ON public.jobs USING btree (status);


--
-- Name: ix_reviews_status_opened_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_reviews_status_opened_at ON public.reviews USING btree (status, opened_at);


--
-- Name: ix_runs_feature_fingerprint; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_runs_feature_fingerprint ON public.runs USING btree (feature, fingerprint);


--
-- Name: ix_runs_started_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_runs_started_at ON public.runs USING btree (started_at);


--
-- Name: calls fk_calls_run; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.calls
    ADD CONSTRAINT fk_calls_run FOREIGN KEY (run) REFERENCES public.runs(id);


--
-- Name: changes fk_changes_run; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT fk_changes_run FOREIGN KEY (run) REFERENCES public.runs(id);


--
-- Name: decisions fk_decisions_run_item; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT fk_decisions_run_item FOREIGN KEY (run, item) REFERENCES public.items(run, item);


--
-- Name: findings fk_findings_run_position; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.findings
    ADD CONSTRAINT fk_findings_run_position FOREIGN KEY (run, "position") REFERENCES public.decisions(run, "position");


--
-- Name: items fk_items_run; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.items
    ADD CONSTRAINT fk_items_run FOREIGN KEY (run) REFERENCES public.runs(id);


--
-- Name: question_reviews fk_question_reviews_run; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.question_reviews
    ADD CONSTRAINT fk_question_reviews_run FOREIGN KEY (run) REFERENCES public.runs(id);


--
-- Name: reviews fk_reviews_run; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT fk_reviews_run FOREIGN KEY (run) REFERENCES public.runs(id);


--
-- Name: spending fk_spending_run; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.spending
    ADD CONSTRAINT fk_spending_run FOREIGN KEY (run) REFERENCES public.runs(id);


--
-- PostgreSQL database dump complete
--

\unrestrict dBffqPG1XCgndK1PCDNrC4Cxi9UWcbFhrTzSOdD3axmI9gJnKBis2hAA9AcjoeI

