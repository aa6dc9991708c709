"""Cards labelled by hand: what a careful person would say of each before it is learned.

`good` cards must get through; a broken one is named by what is wrong with it. Where the note matters beside the card, the
third text is the whole answer of the note.
"""

from typing import NamedTuple


class Labelled(NamedTuple):
    label: str
    front: str
    back: str
    language: str = "en"
    answer: str = ""


GOOD = "good"
LEAK = "front_leaks_answer"
MISMATCH = "answer_mismatch"
LANGUAGE = "language_mismatch"
STYLE = "style_issue"

CARDS = [
    # What people really write and learn from.
    Labelled(GOOD, "What does an OSPF router flood?", "Link-state advertisements (LSAs)."),
    Labelled(GOOD, "Which port does HTTPS use by default?", "443"),
    Labelled(GOOD, "How many bits does an IPv6 address have?", "128 bits, written as eight groups of four hex digits."),
    Labelled(GOOD, "What does `yield` make of a function?", "A generator function: calling it returns a generator."),
    Labelled(GOOD, "Is a Python tuple mutable?", "No. Its items cannot be replaced, though an item itself may change."),
    Labelled(GOOD, "Is UDP reliable or unreliable?", "Unreliable."),
    Labelled(GOOD, "Which is faster to start, a thread or a process?", "A thread."),
    Labelled(GOOD, "idempotent", "Doing it twice has the same effect as doing it once."),
    Labelled(GOOD, "Why does TCP need a three-way handshake?", "Both sides must learn that the other received their initial sequence number; two messages would prove it for one side only."),
    Labelled(GOOD, "What is TCP, and how does it order bytes?", "A reliable transport protocol. Each byte has a sequence number, by which the receiver puts segments in order."),
    Labelled(GOOD, "Name the four pillars of object-oriented programming.", "- Encapsulation\n- Abstraction\n- Inheritance\n- Polymorphism"),
    Labelled(GOOD, "What does this code print?\n\n```python\nprint([] is [])\n```", "`False`: each literal makes a new list."),
    Labelled(GOOD, "Explain the difference between `==` and `is`.", "`==` compares values, `is` compares identity."),
    Labelled(GOOD, "What is a coroutine in Kotlin?", "A **coroutine** is a computation that can be suspended without blocking a thread."),
    Labelled(GOOD, "What is the time complexity of binary search?", "$O(\\log n)$"),
    Labelled(GOOD, "How do you list listening TCP sockets on Linux?", "```bash\nss -ltn\n```"),
    Labelled(GOOD, "When does `finally` not run?", "When the process is killed or `os._exit` is called."),
    Labelled(GOOD, "What happens if two OSPF routers use different Hello intervals?", "They do not become neighbours: the intervals must agree."),
    Labelled(GOOD, "Capital of Australia", "Canberra"),
    Labelled(GOOD, "Who wrote the first compiler, and for which machine?", "Grace Hopper, for the UNIVAC I, in 1952."),
    Labelled(GOOD, "What are the states of a Java thread?", "NEW, RUNNABLE, BLOCKED, WAITING, TIMED_WAITING and TERMINATED."),
    Labelled(GOOD, "How often does RIP send updates?", "Every 30 seconds."),
    Labelled(GOOD, "Что такое корутина?", "Вычисление, которое можно приостановить и продолжить, не блокируя поток.", "ru"),
    Labelled(GOOD, "Какой порт использует SSH?", "22", "ru"),
    Labelled(GOOD, "Сколько бит в адресе IPv4?", "32 бита.", "ru"),
    Labelled(GOOD, "Чем `val` отличается от `var` в Kotlin?", "`val` нельзя переприсвоить, `var` можно.", "ru"),
    Labelled(GOOD, "Как работает garbage collector в JVM?", "Находит объекты, недостижимые из корней, и освобождает их память. Сборщик G1 делит кучу на регионы.", "ru"),
    Labelled(GOOD, "Зачем нужен `volatile` в Java?", "Чтобы запись в поле сразу была видна другим потокам. Атомарности он не даёт.", "ru"),
    Labelled(GOOD, "Что быстрее: ArrayList или LinkedList при доступе по индексу?", "ArrayList: доступ за O(1), а LinkedList идёт по узлам.", "ru"),
    Labelled(GOOD, "Какие три типа контейнеров есть в Docker Compose?", "Никаких: Compose описывает сервисы, сети и тома.", "ru"),
    Labelled(GOOD, "Was ist ein Zeiger in C?", "Eine Variable, die die Adresse einer anderen Variable enthält.", "de"),
    Labelled(GOOD, "猫", "ねこ (cat)", "ja"),
    Labelled(GOOD, "How does it help to keep functions small?", "Small functions can be named, tested and read one at a time."),
    Labelled(GOOD, "What does the DNS flag AA mean?", "Authoritative answer: it comes from the zone itself and not from a cache."),
    Labelled(GOOD, "Which HTTP methods are safe?", "GET, HEAD, OPTIONS and TRACE: they do not change anything on the server."),
    Labelled(GOOD, "What is the maximum length of a VLAN ID?", "12 bits, so 4094 usable VLANs."),
    # Answers that are none, or answer something else.
    Labelled(MISMATCH, "How does OSPF elect a designated router?", "TODO"),
    Labelled(MISMATCH, "How does BGP prevent loops?", "See below."),
    Labelled(MISMATCH, "Что такое NAT?", "См. выше", "ru"),
    Labelled(MISMATCH, "What is a monad?", "[[Monad]]"),
    Labelled(MISMATCH, "What is a B-tree?", "https://en.wikipedia.org/wiki/B-tree"),
    Labelled(MISMATCH, "What is a mutex?", "What is a mutex?"),
    Labelled(MISMATCH, "How many layers does the OSI model have?", "It describes how systems talk to each other."),
    Labelled(MISMATCH, "Which port does DNS use?", "It uses a well-known port."),
    Labelled(MISMATCH, "Сколько поколений в куче JVM?", "Объекты переходят между ними при сборке мусора.", "ru"),
    Labelled(MISMATCH, "What are the four isolation levels?", "- READ COMMITTED\n- REPEATABLE READ\n- SERIALIZABLE"),
    Labelled(MISMATCH, "Name the five classes of IPv4 addresses.", "1. A\n2. B\n3. C"),
    Labelled(MISMATCH, "What does a router do when no route matches?", "The steps are:"),
    Labelled(MISMATCH, "How do you read a file in Python?", "Use `with`:\n\n```python\nwith open(path) as file:"),
    Labelled(MISMATCH, "What is a deadlock in a database?", "Gardeners plant tulips in autumn because the bulbs need cold weather before they flower, and they cover the soil with leaves, straw or bark, which keeps frost away from roots during long winter months."),
    Labelled(MISMATCH, "How long is the OSPF dead interval by default on broadcast links?", "60 seconds.", "en", "The dead interval is 40 seconds by default, four times the Hello interval of 10 seconds."),
    Labelled(MISMATCH, "Does UDP guarantee delivery?", "UDP guarantees delivery of datagrams.", "en", "UDP does not guarantee delivery of datagrams; the application must."),
    Labelled(MISMATCH, "What does ARP resolve?", "It translates domain names through hierarchical root servers.", "en", "ARP resolves an IPv4 address to a MAC address on the local network."),
    Labelled(MISMATCH, "Which LSA types does a stub area refuse?", "It refuses external LSAs.", "en", "A stub area refuses **type 5** LSAs, which carry external routes."),
    # Fronts that tell the answer.
    Labelled(LEAK, "Is a Python tuple immutable, ordered and hashable when its items are?", "Immutable, ordered, hashable."),
    Labelled(LEAK, "The OSPF backbone area, area 0, is which area?", "Area 0."),
    Labelled(LEAK, "What does the Address Resolution Protocol (ARP) stand for?", "Address Resolution Protocol"),
    Labelled(LEAK, "Is it true that TCP is connection-oriented?", "TCP is connection-oriented."),
    Labelled(LEAK, "Какой протокол маршрутизации OSPF использует состояние каналов?", "OSPF", "ru"),
    # The wrong language on one side.
    Labelled(LANGUAGE, "What is the purpose of a subnet mask in an IP network?", "Маска отделяет адрес сети от адреса узла внутри этой сети.", "en"),
    Labelled(LANGUAGE, "Как маршрутизатор выбирает лучший путь?", "It compares the length of the prefix and then the metric of the routes.", "ru"),
    Labelled(LANGUAGE, "What is the difference between a process and a thread in the system?", "У процесса своя память, потоки делят память процесса.", "ru"),
    Labelled(LANGUAGE, "Wie funktioniert die Speicherverwaltung in Python?", "It counts the references to each object and frees it when there are none left.", "de"),
    # Fronts that cannot be understood alone.
    Labelled(STYLE, "How does it work?", "Each router floods its links, and all compute shortest paths."),
    Labelled(STYLE, "Why?", "Because the count would otherwise be changed by two threads at once."),
    Labelled(STYLE, "Как это работает?", "Сервер кодирует соединение в номере последовательности.", "ru"),
    Labelled(STYLE, "What does this code print?", "`False`, because each literal makes a new list."),
    Labelled(STYLE, "What is wrong with the approach in the previous example?", "It opens a connection for every request."),
    Labelled(STYLE, "As mentioned above, which timer ends first?", "The hold timer."),
    Labelled(STYLE, "Что выведет данный код?", "`True`, потому что строки интернированы.", "ru"),
    Labelled(STYLE, "Example?", "A bank transfer between two accounts."),
    Labelled(STYLE, "Why are they important?", "They keep external routes out of small routers."),
]

# Written after the rules were finished, and never used to change them: what the rules do with cards they have not seen.
UNSEEN = [
    Labelled(GOOD, "What is the loopback address of IPv6?", "::1"),
    Labelled(GOOD, "What does the `-l` option of `ls` do?", "Long format: permissions, owner, size and time of each entry."),
    Labelled(GOOD, "Why is quicksort slow on sorted input with a naive pivot?", "The pivot splits off one element at a time, so the recursion is n levels deep and the time is quadratic."),
    Labelled(GOOD, "What is eventual consistency?", "If writes stop, all replicas come to hold the same value, some time later."),
    Labelled(GOOD, "Does HTTP keep state between requests?", "No, it is stateless; cookies and tokens carry the state."),
    Labelled(GOOD, "Give the command that shows the routing table in FRR.", "```text\nshow ip route\n```"),
    Labelled(GOOD, "What is the result of `0.1 + 0.2 == 0.3` in Python?", "`False`: 0.1 and 0.2 have no exact binary form."),
    Labelled(GOOD, "List three ways to pass data between processes.", "1. Pipes\n2. Shared memory\n3. Sockets"),
    Labelled(GOOD, "What is the role of the kube-scheduler?", "It assigns pods that have no node to a suitable node."),
    Labelled(GOOD, "mutex", "A lock that one thread at a time can hold."),
    Labelled(GOOD, "Which layer does a switch work on, and by what does it forward?", "Layer 2; it forwards frames by destination MAC address."),
    Labelled(GOOD, "How long is a SHA-256 digest?", "256 bits, or 64 hex digits."),
    Labelled(GOOD, "Почему строки в Java неизменяемы?", "Чтобы их можно было безопасно делить между потоками, хранить в пуле и использовать как ключи.", "ru"),
    Labelled(GOOD, "Что делает команда `git stash`?", "Убирает незакоммиченные изменения в стек и возвращает чистое рабочее дерево.", "ru"),
    Labelled(GOOD, "Какая сложность вставки в хеш-таблицу?", "В среднем O(1), в худшем случае O(n).", "ru"),
    Labelled(GOOD, "Назовите уровни модели TCP/IP.", "Канальный, сетевой, транспортный и прикладной.", "ru"),
    Labelled(GOOD, "Что такое DI и зачем он нужен?", "Dependency injection: зависимости передают снаружи, поэтому класс легко тестировать.", "ru"),
    Labelled(MISMATCH, "What does the `volatile` keyword do?", "tbd"),
    Labelled(MISMATCH, "How many wires does a Cat 6 cable have?", "They are twisted in pairs against crosstalk."),
    Labelled(MISMATCH, "What are the three parts of a JWT?", "- Header\n- Payload"),
    Labelled(MISMATCH, "What is a semaphore?", "See [[Semaphore]]"),
    Labelled(MISMATCH, "What is the default TTL of a Linux packet?", "128", "en", "Linux sends packets with a TTL of 64, Windows with 128 hops, Cisco with 255."),
    Labelled(MISMATCH, "May a stub area contain an ASBR?", "A stub area may contain an ASBR.", "en", "A stub area may not contain an ASBR, since type 5 LSAs are refused."),
    Labelled(MISMATCH, "Какие четыре принципа ООП вы знаете?", "- Инкапсуляция\n- Наследование\n- Полиморфизм", "ru"),
    Labelled(LEAK, "Which protocol, DHCP, hands out addresses?", "DHCP"),
    Labelled(LEAK, "The time complexity of merge sort is O(n log n); what is it?", "O(n log n)"),
    Labelled(LANGUAGE, "How does a hash map handle collisions?", "Элементы с одинаковым хешем хранятся в списке или дереве внутри корзины.", "en"),
    Labelled(LANGUAGE, "Что такое индекс в базе данных?", "It is a structure that lets the database find rows without reading all of them.", "ru"),
    Labelled(STYLE, "What happens then?", "The router floods the new LSA to its neighbours."),
    Labelled(STYLE, "Why is that bad?", "Because every replica restarts at once."),
    Labelled(STYLE, "What is the output of the following program?", "It prints 42."),
    Labelled(STYLE, "Зачем это нужно?", "Чтобы не терять данные при перезапуске.", "ru"),
]
