"""Words of questions in four languages: one group a line."""

# Words that are interchangeable in a question.
SAME = """
use used usage employ utilise
host hold held
often frequently frequency interval regularly
author write writer written pen
found founded founder establish foundation create creator start set
invent inventor invention devise
discover discoverer discovery find
build builder construct design architect
birth born
die died death
mean meaning stand definition define denote
abbreviation acronym short
purpose function role task job serve
happen occur take event
begin start commence launch
end finish conclude stop terminate expire
show display list view print
calculate compute determine derive
make produce create generate manufacture
change modify alter adjust
remove delete erase drop
need require necessary must
hold store contain keep save
approve authorise authorize sign approval
responsible charge duty
support offer provide
cause trigger lead reason
effect consequence result impact outcome
benefit advantage pro
drawback disadvantage downside con
part component element
kind type sort category
way method manner means technique procedure
step stage phase
component part module
goal aim objective
law statute act
rule regulation
error fault failure mistake
crash collapse fail
quick fast speed rapid velocity travel
large big size
tall high height elevation
long length duration period time last
wide width
deep depth
heavy weight weigh
old age
hot temperature
expensive cost price fee charge
much amount quantity total sum
boil boiling
worker employee staff
teacher instructor
lawyer attorney counsel
country nation state
headquarters seat
port listen
protect guard defend
wait waiting
pay payment
permit allow may
forbid prohibit ban
ask request inquire
reply answer respond response
elect choose select pick
default standard
maximum most limit upper
minimum least lower
largest biggest greatest
locate located lie situated
orbit revolve
rank position
flow run
finance fund
floor storey story
ensure guarantee
eligible apply qualify
fee cost membership
happen event take
consequence happen result
case if
main primary chief principal
student pupil
enrol enroll attend register
fall collapse come
memory ram
influence affect effect determine impact
injure wound hurt
decide decision rule ruling
punish punishment penalty
condition requirement
erfinden erfunden erfinder
schreiben geschrieben schrieb autor verfasser
entdecken entdeckt entdecker
gründen gegründet gründer
bauen gebaut erbaut
hoch höhe
lang länge dauer
alt alter
groß größe
tief tiefe
schnell geschwindigkeit
escribir escribió autor escritor
inventar inventó inventor
descubrir descubrió descubridor
habitantes población
alto altura
largo longitud
написать написал автор
изобрести изобрел изобретатель
основать основал основатель
高さ 標高
書 著者 作者
bedeuten bedeutet stehen steht heißen heißt lauten lautet
verwenden verwendet nutzen nutzt benutzen benutzt einsetzen
sterben starb gestorben tod
geboren geburt
kosten kostet preis
dauern dauert dauer
schließen geschlossen schließung
medir mide altura
cerrar cerró cierre
nacer nació nacimiento
morir murió muerte
costar costó precio
закрыть закрыли закрыт закрытие
родиться родился рождение
умереть умер смерть
стоить стоит цена
relate relationship relation
jump leap
get obtain receive gain acquire earn
award receive win grant
study examine investigate analyse analyze research
speak spoken talk
prevent avoid protect
cover include comprise
attach enclose append
handle treat manage process
observe see notice
respond react
describe depict portray
explain clarify
teach instruct
grow increase rise
decline decrease fall drop
marry wed
murder kill
hire recruit employ
dismiss fire
quit resign leave
go move travel
arrive reach
live reside dwell inhabit
eat consume feed
help aid assist
try attempt
want wish desire
join enter member
connect link
combine merge mix
split divide separate
test check verify
convict guilty
crime offence offense
percent percentage share proportion
salary wage
illness disease sickness
drug medicine medication
kid child
house home
movie film
picture image photo photograph
keep retain retention
monarch ruler king queen rule reign
nickname call
ingredient material
trip journey
start initiate open
close shut
own owner possess
chair chairperson chairman
direct director
lead leader head
belong member
win victory
damage harm injury
danger risk hazard
rich wealthy
speech address
agreement contract treaty
meeting conference
idea concept notion
vote ballot
battle fight
forecast predict
improve enhance
reduce lower lessen
limit restrict
examine inspect
choose pick opt
"""
# What excludes each other.
OPPOSITE = """
begin complete
start stop
rise set
raise lower
tenant landlord
buyer seller
trainer traine
employer employee
lender borrower
success failure
full empty
join leave
singular plural
hero villain
support oppose
install remove
create delete
adult child
annual monthly
daily weekly
inner outer
score concede
advantage disadvantage
benefit drawback
encrypt decrypt
upload download
input output
read write
source destination
mother father
son daughter
brother sister
king queen
husband wife
upstream downstream
inbound outbound
ingress egress
primary secondary
active passive
static dynamic
public private
local remote
optional mandatory
required optional
allowed forbidden
permit prohibit
pass fail
gain loss
profit loss
add remove
insert delete
install uninstall
connect disconnect
encode decode
lock unlock
front back
top bottom
strength weakness
predecessor successor
precede follow
teacher student
winner loser
lend borrow
arrive depart
attack defend
full incremental
parent child
client server
sender receiver
question answer
beginnen enden
anfang ende
erlaubt verboten
начаться закончиться
начало конец
"""
# What says nothing about the matter.
EMPTY = """
document text passage according mention state describe specify give given
name call term know known refer exactly actually currently exist kind type sort thing do have get be define mean meaning
much factor step tool whole overall specific particular certain respective concern regard relate involve apply
dokument heißen geben gibt laut genannt name
documento texto llamar según haber nombre existir
документ текст называться согласно называется существовать
"""
# What says nothing about it where the other question has nothing in its place.
LIGHT = """
send make use used take hold play host locate lie perform carry run abbreviation acronym people person place year date
time number value system happen occur way orbit made reach protocol main need needed require required long
"""
